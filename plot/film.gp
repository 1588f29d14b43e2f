# film.gp - frames of a film, `width` x `height` pixels, as PNG one after the other: a box with edges
# `edge1` ..., its centre `lift1` ... from the point it turns about, the arrows of momentum and angular
# velocity, and the path of its third axis. The rows of $frames: t, attitude (4), momentum (3) and velocity
# (3) in space; `count` of them; `caption` is the title.
set datafile separator comma
set encoding utf8
size = height / 1080.0
set terminal pngcairo size width,height noenhanced background '#FBFAF7' font sprintf('sans-serif,%.1f', 24 * size)
unset border
unset tics
unset key
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
azimuth = -35 * pi / 180
elevation = 24 * pi / 180
across(x, y, z) = -sin(azimuth) * x + cos(azimuth) * y
along(x, y, z) = -sin(elevation) * (cos(azimuth) * x + sin(azimuth) * y) + cos(elevation) * z
near(x, y, z) = cos(elevation) * (cos(azimuth) * x + sin(azimuth) * y) + sin(elevation) * z
lifted = sqrt(lift1 ** 2 + lift2 ** 2 + lift3 ** 2)
middle = lifted > 0 ? 0.6 : 0
reach = 1.75
set xrange [-reach * width / height:reach * width / height]
set yrange [middle - reach:middle + reach]
array Q[4]
array E[3] = [edge1 / 2, edge2 / 2, edge3 / 2]
array L[3] = [lift1, lift2, lift3]
array T[count]
array Q0[count]; array Q1[count]; array Q2[count]; array Q3[count]
array MX[count]; array MY[count]; array MZ[count]
array WX[count]; array WY[count]; array WZ[count]
set table $unused
plot $frames using (i = int($0) + 1, T[i] = $1, Q0[i] = $2, Q1[i] = $3, Q2[i] = $4, Q3[i] = $5, \
    MX[i] = $6, MY[i] = $7, MZ[i] = $8, WX[i] = $9, WY[i] = $10, WZ[i] = $11, 0) with table
unset table
most(a, b) = a > b ? a : b
longest_m = sqrt(MX[1] ** 2 + MY[1] ** 2 + MZ[1] ** 2) + 1e-300
longest_w = sqrt(WX[1] ** 2 + WY[1] ** 2 + WZ[1] ** 2) + 1e-300
shown(ratio) = 1.75 * ratio / (ratio + 0.17) # stays in the picture
R(i, k) = i == k ? 1 - 2 * (1 - Q[4] ** 2 - Q[i] ** 2) \
    : 2 * (Q[i] * Q[k] + (k == i % 3 + 1 ? -1 : 1) * Q[4] * Q[6 - i - k])
body(i, a, b, c) = R(i, 1) * (a + L[1]) + R(i, 2) * (b + L[2]) + R(i, 3) * (c + L[3])
px(a, b, c) = across(body(1, a, b, c), body(2, a, b, c), body(3, a, b, c))
py(a, b, c) = along(body(1, a, b, c), body(2, a, b, c), body(3, a, b, c))
tip = 1.15 * (E[3] + lifted)
array X[count]; array Y[count]
COLOURS = '0xE07B5D 0xA34A35 0x67B898 0x2F7A5D 0x6FA3DD 0x35639F'
part(c, light) = int(light * c) > 255 ? 255 : int(light * c)
lit(rgb, light) = 65536 * part(rgb / 65536, light) + 256 * part(rgb / 256 % 256, light) + part(rgb % 256, light)
do for [i = 1:count] {
    Q[4] = Q0[i]; Q[1] = Q1[i]; Q[2] = Q2[i]; Q[3] = Q3[i]
    X[i] = across(R(1, 3), R(2, 3), R(3, 3)) * tip
    Y[i] = along(R(1, 3), R(2, 3), R(3, 3)) * tip
    unset object
    unset arrow
    do for [f = 0:5] { # the sides that are seen
        k = f / 2 + 1
        a = k % 3 + 1
        b = a % 3 + 1
        sign = f % 2 ? -1 : 1
        facing = sign * near(R(1, k), R(2, k), R(3, k))
        if (facing > 0) {
            array C[12]
            do for [n = 0:3] {
                u = n == 0 || n == 3 ? -1 : 1
                v = n < 2 ? -1 : 1
                C[3 * n + k] = sign * E[k]
                C[3 * n + a] = u * E[a]
                C[3 * n + b] = v * E[b]
            }
            light = 0.72 + 0.2 * facing + 0.18 * sign * R(3, k)
            set object f + 1 polygon from px(C[1], C[2], C[3]),py(C[1], C[2], C[3]) \
                to px(C[4], C[5], C[6]),py(C[4], C[5], C[6]) to px(C[7], C[8], C[9]),py(C[7], C[8], C[9]) \
                to px(C[10], C[11], C[12]),py(C[10], C[11], C[12]) to px(C[1], C[2], C[3]),py(C[1], C[2], C[3]) \
                fillcolor rgb lit(int(word(COLOURS, f + 1)), light) fillstyle solid border lc rgb '#FBFAF7' lw 2 * size front
        }
    }
    do for [v = 1:2] {
        vx = v == 1 ? MX[i] : WX[i]
        vy = v == 1 ? MY[i] : WY[i]
        vz = v == 1 ? MZ[i] : WZ[i]
        length = sqrt(vx ** 2 + vy ** 2 + vz ** 2) + 1e-300
        s = shown(length / (v == 1 ? longest_m : 1.15 * longest_w)) / length
        towards = near(vx, vy, vz) >= 0 || lifted > 0
        if (towards) {
            set arrow v from 0,0 to s * across(vx, vy, vz),s * along(vx, vy, vz) head filled size screen 0.016,20 \
                lw 7 * size lc rgb (v == 1 ? '#B07A00' : '#0A7FB5') front
        } else {
            set arrow v from 0,0 to s * across(vx, vy, vz),s * along(vx, vy, vz) head filled size screen 0.016,20 \
                lw 7 * size lc rgb (v == 1 ? '#B07A00' : '#0A7FB5') back
        }
    }
    set label 1 caption at screen 0.02, screen 0.955 left font sprintf('sans-serif,%.1f', 30 * size) noenhanced
    set label 2 sprintf('t = %.4g', T[i]) at screen 0.98, screen 0.955 right
    set label 3 'angular momentum' at screen 0.02, screen 0.035 left tc rgb '#B07A00'
    set label 4 'angular velocity' at screen 0.2, screen 0.035 left tc rgb '#0A7FB5'
    set label 5 'path of axis 3' at screen 0.36, screen 0.035 left tc rgb '#CC5200'
    from = most(1, i - 240)
    plot sample [n = from:i:1] '+' using (X[int(n)]):(Y[int(n)]) with lines lw 3 * size lc rgb '#CC5200'
}
