"""One module a screen: start, lobby, table, result, and what is laid over them."""
