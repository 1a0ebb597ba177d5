"""A player written and tried out in the browser, without any installation."""
