"""The screens, one module each: start, lobby, table, result, and the overlays above them."""
