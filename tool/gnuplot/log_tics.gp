# log_tics.gp - tics of the logarithmic axis `axis` from `low` to `end`: powers of ten; in a
# narrow range, where few or none lie, also numbers between them.
decades = log10(end / low)
eval sprintf("set %stics auto; set m%stics default; set format %s '10^{%%T}'", axis, \
    axis, axis)
if (decades > 7) { eval sprintf("set %stics 1e-30, 100; set m%stics 1", axis, axis) }
if (decades <= 2.05) {
    digits = decades < 0.8 ? '1 2 5 1.5 3 4 7' : '1 2 5'
    marked = ''
    do for [power = int(floor(log10(low))):int(floor(log10(end))) + 1] {
        do for [digit in digits] {
            tic = digit * 10.0 ** power
            if (tic >= low && tic <= end) { marked = marked.sprintf('%.2g, ', tic) }
        }
    }
    format_text = end > 0.01 ? '%g' : words(digits) > 3 ? '%.1te%T' : '%.0te%T'
    # the last tic is outside: it ends the list
    eval sprintf("set format %s '%s'; set %stics (%s%.6e)", axis, format_text, axis, marked, \
        10 * end)
}
