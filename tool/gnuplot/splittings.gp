# splittings.gp - styles of splitting methods SCHEME+FLOW: colour and mark by scheme; solid
# with the exact free motion, else paler and dashed, each scheme in its own way, with larger
# open marks, so that curves on top of each other are seen.
SCHEMES = 's6_10 verlet verlet_drift s4_6 srkn4_6b srkn6_14a'
SCHEME_HUES = '0 1 1 3 2 4'
SCHEME_MARKS = '7 9 9 13 2 15'
OPEN_MARKS = '6 8 8 12 1 14'
flow_at(k) = strstrt(word(names, k), '+')
scheme(k) = word(names, k)[1:flow_at(k) - 1]
scheme_number(k) = words((' '.SCHEMES)[1:strstrt(' '.SCHEMES.' ', ' '.scheme(k).' ')]) + 1
hue(k) = int(word(SCHEME_HUES, scheme_number(k)))
is_exact(k) = word(names, k)[flow_at(k) + 1:*] eq 'exact'
mark(k) = int(word(is_exact(k) ? SCHEME_MARKS : OPEN_MARKS, scheme_number(k)))
dash(k) = is_exact(k) ? 0 : 1 + scheme_number(k) % 3
pale(k) = is_exact(k) ? 0 : 0.35
size(k) = is_exact(k) ? 1.1 : 1.9 + 0.3 * (scheme_number(k) % 2)
load 'papers.gp'
