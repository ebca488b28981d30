print("startsmall")
