# families.gp - styles of methods of one-step families: colour and dashes tell the family,
# the letters that a name begins with; the highest order of a family is the darkest. `orders` has
# the order of each of `names`. Each curve has a mark of its own.
LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
families = ''
distinct = ''
family_hues = ''
do for [k = 1:words(names)] {
    text = word(names, k)
    length = 0
    do for [i = 1:strlen(text)] {
        if (length == i - 1 && strstrt(LETTERS, text[i:i]) > 0) { length = i }
    }
    prefix = length > 0 ? text[1:length] : '-'
    families = families.prefix.' '
    if (strstrt(' '.distinct, ' '.prefix.' ') == 0) { distinct = distinct.prefix.' ' }
    family_hues = family_hues.sprintf('%d ', \
        words((' '.distinct)[1:strstrt(' '.distinct, ' '.prefix.' ')]))
}
order(k) = int(word(orders, k))
relative(k, i) = k != i && word(families, k) eq word(families, i)
ranks = ''
do for [k = 1:words(names)] {
    below = 0
    others = 0
    do for [i = 1:words(names)] {
        if (relative(k, i)) {
            others = others + 1
            below = below + (i < k ? order(k) >= order(i) : order(k) > order(i))
        }
    }
    ranks = ranks.sprintf('%.6f ', others == 0 ? 1 : 1.0 * below / others)
}
hue(k) = int(word(family_hues, k))
dash(k) = hue(k)
pale(k) = 0.45 * (1 - word(ranks, k))
size(k) = 1.1
