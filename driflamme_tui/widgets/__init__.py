"""What the table is drawn with: each widget draws itself whole and knows no rule."""
