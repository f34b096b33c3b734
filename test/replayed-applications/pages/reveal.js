// Slides, placed by three-dimensional transforms.
import Reveal from 'reveal.js'
import 'reveal.js/reveal.css'
import 'reveal.js/theme/white.css'

document.body.innerHTML = `<div class="reveal" style="height: 600px"><div class="slides">
<section><h2>Bicycles that arrive</h2><p>On time, with a bell.</p></section>
<section><h2>Where</h2><ul><li class="fragment">In town</li><li class="fragment">On the coast</li></ul></section>
<section data-background-color="#204060"><h2 style="color: white">Thank you</h2></section></div></div>`
const deck = new Reveal(document.querySelector('.reveal'), {
  transition: 'none',
  embedded: true,
  controls: true,
})
const ready = deck.initialize()

window.steps = {
  'as it was loaded': () => ready,
  'the second slide': () => deck.slide(1),
  'with its first point': () => deck.nextFragment(),
  'the last slide': () => deck.slide(2),
}
