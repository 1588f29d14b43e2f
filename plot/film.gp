# film.gp - frames of a film, `width` x `height` pixels, as PNG one after the other: a box with edges
# `edge1` ..., its centre `lift1` ... from the point it turns about; or, where `axle` is 1 to 3, a top: a disc with
# these diameters on an axle along that axis. With the arrows of momentum and angular velocity, and the path of
# the third axis, or of the end of the axle. The rows of $frames: t, attitude (4), momentum (3) and velocity (3) in
# space; `count` of them; `caption` is the title.
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
low = lifted > 0 ? -1.15 : -1.75
high = lifted > 0 ? 2.35 : 1.75
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
array X[count]; array Y[count]
COLOURS = '0xE07B5D 0xA34A35 0x67B898 0x2F7A5D 0x6FA3DD 0x35639F'
part(c, light) = int(light * c) > 255 ? 255 : int(light * c)
lit(rgb, light) = 65536 * part(rgb / 65536, light) + 256 * part(rgb / 256 % 256, light) + part(rgb % 256, light)
turn(i) = (Q[4] = Q0[i], Q[1] = Q1[i], Q[2] = Q2[i], Q[3] = Q3[i])
K = axle > 0 ? axle : 3
A = K % 3 + 1
B = A % 3 + 1
up = axle > 0 && L[K] < 0 ? -1 : 1 # along the axle, from the point it turns about
radius = axle > 0 ? most(E[A], E[B]) : 0
tip = axle > 0 ? lifted + 0.6 * radius : 1.15 * (E[3] + lifted)
place(i, u, v, h) = R(i, A) * u + R(i, B) * v + R(i, K) * up * h # of a point of the top
fx(u, v, h) = across(place(1, u, v, h), place(2, u, v, h), place(3, u, v, h))
fy(u, v, h) = along(place(1, u, v, h), place(2, u, v, h), place(3, u, v, h))
circle = 2 * pi
rim(n) = E[A] * cos(circle * n / 40)
side(n) = E[B] * sin(circle * n / 40)
do for [i = 1:count] {
    unused = turn(i)
    X[i] = fx(0, 0, tip)
    Y[i] = fy(0, 0, tip)
    if (axle > 0) { # how far down and up the disc and the end of its axle go
        reach = radius * sqrt(1 - fy(0, 0, 1) ** 2)
        do for [y in sprintf('%g %g %g', Y[i], fy(0, 0, lifted) - reach, fy(0, 0, lifted) + reach)] {
            low = low < y - 0.3 ? low : y - 0.3
            high = high > y + 0.3 ? high : y + 0.3
        }
    }
}
stands = axle > 0 && low >= -1.15
set xrange [-(high - low) / 2 * width / height:(high - low) / 2 * width / height]
set yrange [low:high]
do for [i = 1:count] {
    unused = turn(i)
    unset object
    unset arrow
    if (stands) {
        set object 1 polygon from 0,0 to 0.16,-0.62 to 0.1,-0.66 to 0,-0.67 to -0.1,-0.66 to -0.16,-0.62 to 0,0 \
            fillcolor rgb '#9AA3AE' fillstyle solid noborder back
    }
    if (axle > 0) { # half of the axle, rim, face, the other half; the path is drawn over them
        seen = near(R(1, K), R(2, K), R(3, K)) * up >= 0 ? 1 : -1
        thick = 0.07 * radius
        dx = fy(0, 0, 1); dy = -fx(0, 0, 1)
        w = 0.035 / (sqrt(dx ** 2 + dy ** 2) + 1e-9)
        dx = dx * w; dy = dy * w
        do for [half = 0:1] {
            above = half == 0 ? seen < 0 : seen > 0
            h1 = above ? lifted + thick : 0
            h2 = above ? tip : lifted - thick
            set object (half == 0 ? 2 : 99) polygon from fx(0, 0, h1) + dx,fy(0, 0, h1) + dy \
                to fx(0, 0, h2) + dx,fy(0, 0, h2) + dy to fx(0, 0, h2) - dx,fy(0, 0, h2) - dy \
                to fx(0, 0, h1) - dx,fy(0, 0, h1) - dy to fx(0, 0, h1) + dx,fy(0, 0, h1) + dy \
                fillcolor rgb '#7A828E' fillstyle solid noborder back
        }
        do for [n = 0:39] {
            u = rim(n + 0.5) / E[A] ** 2; v = side(n + 0.5) / E[B] ** 2
            facing = near(place(1, u, v, 0), place(2, u, v, 0), place(3, u, v, 0)) / sqrt(u ** 2 + v ** 2)
            if (facing > 0) {
                set object 10 + n polygon from fx(rim(n), side(n), lifted - thick),fy(rim(n), side(n), lifted - thick) \
                    to fx(rim(n + 1), side(n + 1), lifted - thick),fy(rim(n + 1), side(n + 1), lifted - thick) \
                    to fx(rim(n + 1), side(n + 1), lifted + thick),fy(rim(n + 1), side(n + 1), lifted + thick) \
                    to fx(rim(n), side(n), lifted + thick),fy(rim(n), side(n), lifted + thick) \
                    to fx(rim(n), side(n), lifted - thick),fy(rim(n), side(n), lifted - thick) \
                    fillcolor rgb lit(0xA34A35, 0.7 + 0.4 * facing) \
                    fillstyle solid border rgb lit(0xA34A35, 0.7 + 0.4 * facing) back
            }
        }
        h = lifted + seen * thick
        light = 0.72 + 0.2 * near(R(1, K), R(2, K), R(3, K)) * up * seen + 0.1 * seen * up * R(3, K)
        do for [f = 0:7] { # sectors, so that its spin is seen
            n = 5 * f
            set object 60 + f polygon from fx(0, 0, h),fy(0, 0, h) to fx(rim(n), side(n), h),fy(rim(n), side(n), h) \
                to fx(rim(n + 1), side(n + 1), h),fy(rim(n + 1), side(n + 1), h) \
                to fx(rim(n + 2), side(n + 2), h),fy(rim(n + 2), side(n + 2), h) \
                to fx(rim(n + 3), side(n + 3), h),fy(rim(n + 3), side(n + 3), h) \
                to fx(rim(n + 4), side(n + 4), h),fy(rim(n + 4), side(n + 4), h) \
                to fx(rim(n + 5), side(n + 5), h),fy(rim(n + 5), side(n + 5), h) to fx(0, 0, h),fy(0, 0, h) \
                fillcolor rgb lit(f % 2 == 0 ? 0xE07B5D : 0xF2DFD0, light) fillstyle solid noborder back
        }
        set arrow 3 from fx(0, 0, lifted),fy(0, 0, lifted) rto 0,-0.7 * cos(elevation) head filled size screen 0.012,20 \
            lw 5 * size lc rgb '#5B6673' front
    }
    do for [f = 0:(axle > 0 ? -1 : 5)] { # the sides that are seen
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
    set label 5 (axle > 0 ? 'path of the end of its axle' : 'path of axis 3') at screen 0.36, screen 0.035 left tc rgb '#CC5200'
    if (axle > 0) { set label 6 'gravity' at screen 0.6, screen 0.035 left tc rgb '#5B6673' }
    from = most(1, i - 240)
    plot sample [n = from:i:1] '+' using (X[int(n)]):(Y[int(n)]) with lines lw 3 * size lc rgb '#CC5200'
}
