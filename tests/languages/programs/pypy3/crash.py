raise ValueError("on purpose")
