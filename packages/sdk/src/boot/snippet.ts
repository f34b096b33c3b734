// What a page without a build copies into its head. The script loads without holding the page up; until it is there, what
// the page wants of it waits, and what goes wrong is kept for it.

export interface SnippetOptions {
  /** Of the server, without a slash at the end. */
  url: string
  /** A client key. */
  key: string
}

/** More errors than that before the first script of a page is there are one error. */
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

/** As JSON that cannot end the script element. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c')
}
