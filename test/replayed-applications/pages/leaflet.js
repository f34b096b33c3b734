// A map without tiles: shapes in SVG and panes that move by transforms.
import L from 'leaflet'
import 'leaflet/dist/leaflet.css'

const host = document.body.appendChild(document.createElement('div'))
host.style.cssText = 'height: 600px'
const map = L.map(host, { zoomAnimation: false, fadeAnimation: false }).setView([52.52, 13.4], 12)
L.polygon(
  [
    [52.54, 13.36],
    [52.55, 13.45],
    [52.5, 13.44],
  ],
  { color: '#2a6' },
).addTo(map)
const stops = Array.from({ length: 60 }, (_, index) =>
  L.circleMarker([52.5 + (index % 10) / 150, 13.35 + Math.floor(index / 10) / 60], { radius: 6 }),
)
for (const stop of stops) stop.bindTooltip('A stop of the tour').addTo(map)

window.steps = {
  'as it was loaded': () => undefined,
  moved: () => map.panBy([180, 90], { animate: false }),
  'with a popup': () =>
    L.popup().setLatLng([52.52, 13.41]).setContent('<b>Depot</b><br>Opens at eight').openOn(map),
  nearer: () => map.setZoom(14, { animate: false }),
}
