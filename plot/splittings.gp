# splittings.gp - styles of splitting methods SCHEME+FLOW: colour and mark by scheme; solid
# with the exact free motion, else dash-dotted.
SCHEMES = 's6_10 verlet verlet_drift s4_6 srkn4_6b srkn6_14a'
SCHEME_HUES = '0 1 1 3 2 4'
SCHEME_MARKS = '7 9 9 13 2 15'
flow_at(k) = strstrt(word(names, k), '+')
scheme(k) = word(names, k)[1:flow_at(k) - 1]
scheme_number(k) = words((' '.SCHEMES)[1:strstrt(' '.SCHEMES.' ', ' '.scheme(k).' ')]) + 1
hue(k) = int(word(SCHEME_HUES, scheme_number(k)))
mark(k) = int(word(SCHEME_MARKS, scheme_number(k)))
dash(k) = word(names, k)[flow_at(k) + 1:*] eq 'exact' ? 0 : 3
size(k) = 1.1
