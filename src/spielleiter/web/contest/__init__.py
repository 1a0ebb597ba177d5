"""What the pages of a contest share: accounts, forms, cookies, and long work in the background."""
