# ellipsoid.gp - chooses the view and draws the surface of an ellipsoid with semi-axes s1,
# s2, s3, the arrows of its axes and, before them, room for a panel. A point of it is a
# unit vector u at (s1 u1, s2 u2, s3 u3), with the normal u / s, which tells whether it is
# in front or behind. The caller sets the edges of the panel, `panel_left` and `panel_right`, and
# `key_top`, on the screen, `heading`, the colours, the `views` to choose from, and what the view
# shall show: first of all the direction `look1`, `look2`, `look3`, which may be 0, then the curves in
# $curve, three columns.
facing(u1, u2, u3) = u1 / s1 * t1 + u2 / s2 * t2 + u3 / s3 * t3
across(u1, u2, u3) = s1 * u1 * r1 + s2 * u2 * r2
along(u1, u2, u3) = s1 * u1 * v1 + s2 * u2 * v2 + s3 * u3 * v3
most = -1e301
do for [view = 0:views] {
    # from above or below the equator; the last time from the best of them
    chosen = view < views ? view : best
    azimuth = (30 + 90 * (chosen % 4)) * pi / 180
    elevation = int(word('30 -30 55 -55', chosen / 4 + 1)) * pi / 180
    t1 = cos(elevation) * cos(azimuth); t2 = cos(elevation) * sin(azimuth); t3 = sin(elevation)
    r1 = -sin(azimuth); r2 = cos(azimuth)
    v1 = -t3 * r2; v2 = t3 * r1; v3 = t1 * r2 - t2 * r1
    front = 0
    set table $unused
    plot $curve every (count / 500 + 1) using (front = front + (facing($1, $2, $3) > 0), 0) with table
    unset table
    score = 3.0 * smaller(0.7, look1 * t1 + look2 * t2 + look3 * t3) + 1.0 * front / larger(1, count)
    if (score > most) { most = score; best = view }
}
outline = larger(sqrt((s1 * r1) ** 2 + (s2 * r2) ** 2), \
    sqrt((s1 * v1) ** 2 + (s2 * v2) ** 2 + (s3 * v3) ** 2))

# A curve in front, and (with a little more, so that the two meet) behind.
x_front(u1, u2, u3) = facing(u1, u2, u3) >= 0 ? across(u1, u2, u3) : NaN
x_back(u1, u2, u3) = facing(u1, u2, u3) <= 0.03 ? across(u1, u2, u3) : NaN

# Meridians (i < 6) and parallels, 30 degrees apart.
g1(i, a) = i < 6 ? cos(i * pi / 6) * sin(a) : cos((i - 8) * pi / 6) * cos(a)
g2(i, a) = i < 6 ? sin(i * pi / 6) * sin(a) : cos((i - 8) * pi / 6) * sin(a)
g3(i, a) = i < 6 ? cos(a) : sin((i - 8) * pi / 6)

# The outline is where the normal is at right angles to the view: the great circle about n.
n = sqrt((t1 / s1) ** 2 + (t2 / s2) ** 2 + (t3 / s3) ** 2)
n1 = t1 / s1 / n; n2 = t2 / s2 / n; n3 = t3 / s3 / n
n = sqrt((n3 * r2) ** 2 + (n3 * r1) ** 2 + (n1 * r2 - n2 * r1) ** 2)
a1 = -n3 * r2 / n; a2 = n3 * r1 / n; a3 = (n1 * r2 - n2 * r1) / n
b1 = n2 * a3 - n3 * a2; b2 = n3 * a1 - n1 * a3; b3 = n1 * a2 - n2 * a1
e1(a) = cos(a) * a1 + sin(a) * b1
e2(a) = cos(a) * a2 + sin(a) * b2
e3(a) = cos(a) * a3 + sin(a) * b3

# The panel, with arrows along the axes, out of the surface.
unset arrow
unset label
set lmargin at screen panel_left
set rmargin at screen panel_right
set key at screen 0.5 * (panel_left + panel_right), screen key_top center top horizontal \
    maxcols 3 Left reverse samplen 2
set xrange [-1.24 * outline:1.24 * outline]
set yrange [-1.24 * outline:1.24 * outline]
set title heading font ',17' offset 0,-0.2
do for [k = 1:3] {
    to_right = k == 1 ? r1 : k == 2 ? r2 : 0
    to_top = k == 1 ? v1 : k == 2 ? v2 : v3
    flat = sqrt(to_right ** 2 + to_top ** 2)
    from = k == 1 ? s1 : k == 2 ? s2 : s3
    tip = from + 0.24 * outline
    tag = tip + 0.05 * outline / flat
    ink = word(facing(k == 1, k == 2, k == 3) >= 0 ? inks : faint_inks, k)
    side = to_right > 0.5 * flat ? 'left' : to_right < -0.5 * flat ? 'right' : 'center'
    set arrow from from * to_right,from * to_top to tip * to_right,tip * to_top front lw 1.6 \
        lc rgb ink filled size screen 0.008,20
    eval sprintf("set label '%s' at %.4f,%.4f %s front tc rgb '%s' font ',15'", \
        word(tags, k), tag * to_right, tag * to_top, side, ink)
}
