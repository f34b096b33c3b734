// The snippet for the head of a page without a build. The script loads asynchronously; until it has loaded, calls are
// queued and errors are kept for it.

export interface SnippetOptions {
  /** The server's URL, without a trailing slash. */
  url: string
  /** A client key. */
  key: string
}

/** More errors before the first script has loaded are repeats of one error. */
const earlyKept = 20

export function writeSnippet({ url, key }: SnippetOptions): string {
  const [source, options] = [`${url}/sdk/v1/telltale.js`, { key }].map(inScript)
  return `<script>
!function(w,d,s){
  var t=w.telltale={queue:[],early:[],onReady:function(run){t.queue.push(run)}}
  function keep(e){t.early.length<${earlyKept}&&t.early.push(e)}
  w.addEventListener('error',keep);w.addEventListener('unhandledrejection',keep)
  t.onReady(function(){w.removeEventListener('error',keep);w.removeEventListener('unhandledrejection',keep)})
  s=d.createElement('script');s.async=true;s.src=${source};d.head.appendChild(s)
}(window,document)
telltale.onReady(function(){window.app=telltale.init(${options})})
</script>`
}

/** As JSON that cannot close the script element. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c')
}
