"""Reads a HAR, which HARReadersTests has written, as haralyzer and mitmproxy do, and compares what they find."""
import json
import sys

from haralyzer import HarParser
from mitmproxy.io.har import request_to_flow

STATUSES = [302, 503, 200, 201, 200, 204, 0]

with open(sys.argv[1], encoding="utf-8") as file:
    har = json.load(file)

entries = HarParser(har).har_data["entries"]
assert [entry["response"]["status"] for entry in entries] == STATUSES, entries
# haralyzer groups entries into pages; a HAR of an app has none.
pages = HarParser(har).pages
assert sum(len(page.entries) for page in pages) == len(STATUSES), pages
for entry in (entry for page in pages for entry in page.entries):
    assert entry.startTime.tzinfo is not None and entry.time >= 0, entry
    assert entry.request.url.startswith("http://127.0.0.1") and entry.response.status in STATUSES, entry
times = [sum(max(0, time) for name, time in entry["timings"].items() if name != "ssl") for entry in entries]
assert all(abs(entry["time"] - time) < 0.001 for entry, time in zip(entries, times)), times

flows = [request_to_flow(entry) for entry in entries]
assert [flow.response.status_code for flow in flows] == STATUSES, flows
assert flows[0].response.headers["Location"] == "/b" and flows[1].request.path == "/b"
assert flows[2].response.text == "größe", flows[2].response.text
assert flows[3].request.urlencoded_form["a"] == "1 2" and flows[3].request.urlencoded_form["password"] == "[redacted]"
assert flows[4].response.content == bytes([0xFF, 0xD8, 0]), flows[4].response.content
assert all(0 <= flow.response.timestamp_end - flow.request.timestamp_start < 60 for flow in flows)
print(f"haralyzer and mitmproxy read {len(entries)} entries")
