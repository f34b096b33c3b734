// Patches the recorder that ships: removes what is never used (canvas images, cross-origin frames) and fixes its
// bugs. It is made for one exact version; a pattern that is not found fails the build.

import type { Plugin } from 'rolldown'

interface Edit {
  why: string
  /** Only the first match is replaced. */
  find: RegExp
  by: string
}

const method = (name: string) => new RegExp(`^ {2}${name}\\([\\s\\S]*?^ {2}\\}\\n`, 'm')
const classOf = (name: string) => new RegExp(`^class ${name} \\{[\\s\\S]*?^\\}\\n`, 'm')

const edits: readonly Edit[] = [
  {
    why: 'canvases are boxes: no worker, and nothing of theirs is wrapped',
    find: /^const jsContent = '.*';$/m,
    by: `const jsContent = '';`,
  },
  {
    why: 'canvases are boxes',
    find: classOf('CanvasManager'),
    by: 'class CanvasManager { freeze() {} unfreeze() {} lock() {} unlock() {} reset() {} }\n',
  },
  {
    why: 'canvases are boxes',
    find: /^ {2}if \(tagName === "canvas" && recordCanvas\) \{[\s\S]*?^ {2}\}\n/m,
    by: '',
  },
  {
    why: 'pictures are boxes',
    find: /^ {2}if \(tagName === "img" && inlineImages\) \{[\s\S]*?^ {2}\}\n/m,
    by: '',
  },
  {
    why: 'frames of other sites are not recorded',
    find: classOf('CrossOriginIframeMirror'),
    by: 'class CrossOriginIframeMirror {}\n',
  },
  ...[
    'handleMessage',
    'transformCrossOriginEvent',
    'replace',
    'replaceIds',
    'replaceStyleIds',
    'replaceIdOnNode',
    'patchRootIdOnNode',
  ].map((name) => ({ why: 'frames of other sites are not recorded', find: method(name), by: '' })),
  {
    why: 'files of fonts are found by their style sheets',
    find: /^function initFontObserver\([\s\S]*?^\}\n/m,
    by: 'function initFontObserver() { return () => {} }\n',
  },
  {
    why: 'with each snapshot it observes every frame once more, and tells each of its changes as often',
    find: /handlers\.push\(observe\(iframeEl\.contentDocument\)\);/,
    by: `const frame = iframeEl.contentDocument;
        if (frame && !observedFrames.has(frame)) {
          observedFrames.add(frame);
          handlers.push(observe(frame));
        }`,
  },
  {
    why: 'of the above: the frames of this recording',
    find: /^ {2}try \{\n {4}const handlers = \[\];$/m,
    by: '  try {\n    const handlers = [];\n    const observedFrames = new WeakSet();',
  },
  {
    why: 'a page that takes all of its style sheets back is shown without them',
    find: /^ {4}if \(sheets\.length === 0\) return;$/m,
    by: '',
  },
  {
    why: 'what it costs to look at changes in frames and shadow trees counts as well',
    find: /mutationBuffer\.processMutations\.bind\(mutationBuffer\)/,
    by: 'record.timed(mutationBuffer.processMutations)',
  },
  {
    why: 'what watched a shadow tree is kept for ever, one more for each snapshot',
    find: /^ {2}return \[observer, iframeCleanup\];$/m,
    by: `  const disconnect = observer.disconnect.bind(observer);
  observer.disconnect = () => {
    disconnect();
    const at = mutationBuffers.indexOf(mutationBuffer);
    if (at >= 0) mutationBuffers.splice(at, 1);
  };
  return [observer, iframeCleanup];`,
  },
]

export const trimRecorder: Plugin = {
  name: 'trim-recorder',
  transform(code, id) {
    if (!id.includes('@rrweb/record')) return undefined
    return edits.reduce((text, { why, find, by }) => {
      const edited = text.replace(find, () => by)
      if (edited === text) throw new Error(`The recorder has another form than is known (${why}): ${find}`)
      return edited
    }, code)
  },
}
