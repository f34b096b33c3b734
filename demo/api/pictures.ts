// The shop's pictures, drawn from product data: no files, and sharp at every size.

import { findProduct, type Product } from './catalogue.ts'

export type Side = 'side' | 'detail' | 'road'

const width = 480
const height = 360

const page = (background: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${background}"/>${content}</svg>`

const line = (d: string, stroke: string, strokeWidth: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${strokeWidth}" stroke-linecap="round" stroke-linejoin="round"/>`

const ink = '#24312b'

function wheel(x: number, y: number, r: number): string {
  const spokes = [0, 1, 2, 3, 4, 5].map((index) => {
    const angle = (index * Math.PI) / 6
    const [dx, dy] = [Math.cos(angle) * (r - 5), Math.sin(angle) * (r - 5)]
    return `M${(x - dx).toFixed(1)} ${(y - dy).toFixed(1)}L${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`
  })
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${ink}" stroke-width="8"/><circle cx="${x}" cy="${y}" r="${r - 7}" fill="none" stroke="#b9b3a4" stroke-width="2"/>${line(spokes.join(''), '#b9b3a4', 1.2)}<circle cx="${x}" cy="${y}" r="6" fill="${ink}"/>`
}

function bike({ colour, category }: Product): string {
  const isGravel = category === 'gravel'
  const handlebar = isGravel ? 'M322 128c20-4 34 4 34 18s-14 22-26 20' : 'M318 130c14-8 26-10 40-8'
  const basket =
    category === 'city'
      ? `<path d="M344 138h56l-8 42h-42z" fill="#d9c9a3" stroke="${ink}" stroke-width="3"/>${line('M350 152h44M352 166h38', ink, 2)}`
      : line('M196 150h-40M162 150v18', ink, 5)
  return [
    `<ellipse cx="240" cy="306" rx="190" ry="10" fill="#00000014"/>`,
    wheel(134, 232, 70),
    wheel(352, 232, 70),
    line('M134 232 214 232 190 148M134 232 196 168M214 232 310 150M196 168 310 150', colour, 11),
    line('M304 132 352 232', colour, 11),
    line('M190 148l-6-22', ink, 7),
    line('M162 122q24-8 44 0', ink, 13),
    line(handlebar, ink, 7),
    line('M318 132l-12 4', ink, 7),
    `<circle cx="214" cy="232" r="19" fill="none" stroke="${ink}" stroke-width="6"/>`,
    line('M214 232l22 30M228 264h18', ink, 6),
    basket,
  ].join('')
}

function cargo({ colour }: Product): string {
  return [
    `<ellipse cx="240" cy="306" rx="205" ry="10" fill="#00000014"/>`,
    wheel(96, 240, 58),
    wheel(408, 252, 44),
    line('M96 240 168 240 148 162M96 240 152 180M168 240 226 172M152 180 226 172M168 240h76', colour, 11),
    `<path d="M240 176h138l-14 84H252z" fill="${colour}"/><path d="M240 176h138l-3 16H242z" fill="#00000026"/>`,
    line('M364 252h44M378 188l30 64', colour, 10),
    line('M148 162l-4-22', ink, 7),
    line('M124 136q22-8 42 0', ink, 13),
    line('M226 172l-10-44M198 124c10-6 26-6 36 0', ink, 7),
    `<circle cx="168" cy="240" r="17" fill="none" stroke="${ink}" stroke-width="6"/>`,
    line('M168 240l18 26M178 268h16', ink, 6),
  ].join('')
}

function part({ id, colour }: Product): string {
  switch (id) {
    case 501:
      return `<path d="M150 120h180l16 176H134z" fill="${colour}"/><path d="M144 96q96-30 192 0l4 44H140z" fill="${colour}"/><path d="M140 140h200" stroke="#00000033" stroke-width="8"/>${line('M190 130v96M290 130v96', '#e8dcc0', 12)}<rect x="180" y="196" width="20" height="24" rx="4" fill="#c9a22e"/><rect x="280" y="196" width="20" height="24" rx="4" fill="#c9a22e"/>`
    case 504:
      return `<path d="M120 220c0-84 54-132 120-132s124 46 124 124c0 12-4 20-14 20H136c-10 0-16-4-16-12z" fill="${colour}"/>${line('M180 118c-16 26-22 60-22 104M240 98v124M300 116c16 26 24 60 24 104', '#00000033', 12)}${line('M150 236c10 44 40 62 74 66M330 236c-8 40-30 60-62 66', ink, 6)}`
    case 507:
      return `<path d="M146 236c0-70 40-116 94-116s94 46 94 116z" fill="${colour}"/><path d="M186 176c8-20 22-32 40-36" stroke="#ffffff88" stroke-width="8" fill="none" stroke-linecap="round"/><rect x="130" y="236" width="220" height="18" rx="9" fill="#9c7a1e"/><circle cx="240" cy="110" r="14" fill="#9c7a1e"/>${line('M334 236l46-26', '#9c7a1e', 12)}`
    default:
      return `<circle cx="240" cy="184" r="122" fill="none" stroke="${colour}" stroke-width="34"/><circle cx="240" cy="184" r="138" fill="none" stroke="#6b6b6b" stroke-width="6" stroke-dasharray="9 7"/><circle cx="240" cy="184" r="104" fill="none" stroke="#c9b58a" stroke-width="7"/>`
  }
}

const drawn = (product: Product) =>
  product.kind === 'part' ? part(product) : product.kind === 'cargo' ? cargo(product) : bike(product)

export function drawProduct(id: number, side: Side): string | undefined {
  const product = findProduct(id)
  if (product === undefined) return undefined
  if (side === 'detail')
    return page('#e6ebe0', `<g transform="translate(-230 -190) scale(1.9)">${drawn(product)}</g>`)
  if (side === 'road') {
    const hills = `<path d="M0 210q90-70 190-24t170-30 120 10v194H0z" fill="#cfd8c4"/><path d="M0 258q120-46 250-12t230-24v138H0z" fill="#b7c4a8"/><circle cx="392" cy="78" r="34" fill="#f2c230"/>`
    return page('#dfe9ec', `${hills}<g transform="translate(48 40) scale(.8)">${drawn(product)}</g>`)
  }
  return page('#f1ece0', drawn(product))
}

/** The banner at the top of the home page. */
export function drawHero(): string {
  const courier = findProduct(207)
  const hills = `<path d="M0 250q150-84 330-30t300-42 250 16 280-26v250H0z" fill="#e0a91c"/><path d="M0 330C200 296 430 318 640 292S980 278 1160 304V400H0z" fill="#24312b"/>`
  const bikeOnTop = courier ? `<g transform="translate(640 2) scale(.92)">${bike(courier)}</g>` : ''
  const letters = [520, 582, 646]
    .map(
      (x, index) =>
        `<g transform="translate(${x} ${196 - index * 26}) rotate(${-14 + index * 9})"><rect width="74" height="48" rx="4" fill="#fbf8f1" stroke="#24312b" stroke-width="4"/>${line('M4 5l33 25 33-25', '#24312b', 4)}</g>`,
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1160 400" width="1160" height="400" preserveAspectRatio="xMidYMid slice"><rect width="1160" height="400" fill="#f2c230"/><circle cx="1064" cy="86" r="44" fill="#fbf8f1"/>${hills}${letters}${bikeOnTop}</svg>`
}
