"""What a forecast looks at: numbers of pairs of concepts, all of them known at the end of one year."""
