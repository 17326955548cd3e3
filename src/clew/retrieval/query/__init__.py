"""The question as retrieval reads it: its vector, its words with their weights, its names.

reading           the whole of it: link_query
words             what each word is worth
names             which spans may be names: words, runs of capitals, quotations
linking           which entities they are, from the surest way of knowing to the least sure:
  written_names, forms         as the documents write them, or with another ending
  misspelt_names, slips        with wrong letters
  short_names, meanings        by first letters, by a part; how many things that may be
  names_by_meaning             by a vector
name_lookup, linked_name       what is asked of a store; what comes of it
"""
