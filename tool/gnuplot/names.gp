# names.gp - sets `names` to the words of the column `series`, quoted, each once.
names = ''
set table $unused
plot $csv using (selected(0) && !strstrt(' '.names, ' '.quoted(series)) ? \
    (names = names.quoted(series)) : '', 0) with table
unset table
