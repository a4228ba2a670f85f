"""Games that last for days: a clock in hours, calls to absent players, and conditional answers."""
