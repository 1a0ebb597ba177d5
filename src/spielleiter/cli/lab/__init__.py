"""``spielleiter lab | openings | rate | tune | bisect``: the commands of the laboratory."""
