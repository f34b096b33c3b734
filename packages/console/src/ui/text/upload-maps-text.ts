interface Place {
  /** Of the server, without a slash at the end. */
  url: string
  project: string
  /** Of the application, as it stands in its events; empty when it names none. */
  version: string
}

/** The lines of a pipeline that hand in the source maps of a build. The token comes from the environment. */
export function uploadMapsLine({ url, project, version }: Place): string {
  return [
    'telltale upload-maps ./dist',
    `  --url ${quoted(url)}`,
    `  --project ${quoted(project)}`,
    ...(version === '' ? [] : [`  --version ${quoted(version)}`]),
  ].join(' \\\n')
}

/** The same for one file, where nothing but curl is at hand. `file` is the path of the script. */
export function uploadMapRequest({ url, project, version }: Place, file: string): string {
  const query = new URLSearchParams({ file, ...(version !== '' && { version }) })
  return [
    `curl -T ${quoted(`.${file}.map`)}`,
    `  -H "authorization: Bearer $TELLTALE_TOKEN"`,
    `  -H 'content-type: application/octet-stream'`,
    `  ${quoted(`${url}/api/v1/projects/${encodeURIComponent(project)}/source-maps?${query}`)}`,
  ].join(' \\\n')
}

/** As a shell reads it as one word. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
