"""Is it healthy? The first page that somebody sees at three in the morning."""
