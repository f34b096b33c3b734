// The team of the shop.

export const [mara, jonas, ines, tomo] = ['Mara Oduya', 'Jonas Weck', 'Ines Castelo', 'Tomo Sato'] as const

export const people = [
  { name: mara, email: 'mara@pedal-and-post.example', role: 'admin' },
  { name: jonas, email: 'jonas@pedal-and-post.example', role: 'maintainer' },
  { name: ines, email: 'ines@pedal-and-post.example', role: 'editor' },
  { name: tomo, email: 'tomo@pedal-and-post.example', role: 'editor' },
] as const
