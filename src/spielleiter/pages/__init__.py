"""Values to HTML and SVG, without a web server: for the live site, the exported site and the match report."""
