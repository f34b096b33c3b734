interface Place {
  /** Of the server, without a trailing slash. */
  url: string
  project: string
  /** The application's release as in its events; empty if it sets none. */
  version: string
}

/** The commands of a pipeline that upload a build's source maps. The token is an environment variable. */
export function uploadMapsLine({ url, project, version }: Place): string {
  return [
    'telltale upload-maps ./dist',
    `  --url ${quoted(url)}`,
    `  --project ${quoted(project)}`,
    ...(version === '' ? [] : [`  --version ${quoted(version)}`]),
  ].join(' \\\n')
}

/** The same for one file, with only curl. `file` is the path of the script. */
export function uploadMapRequest({ url, project, version }: Place, file: string): string {
  const query = new URLSearchParams({ file, ...(version !== '' && { version }) })
  return [
    `curl -T ${quoted(`.${file}.map`)}`,
    `  -H "authorization: Bearer $TELLTALE_TOKEN"`,
    `  -H 'content-type: application/octet-stream'`,
    `  ${quoted(`${url}/api/v1/projects/${encodeURIComponent(project)}/source-maps?${query}`)}`,
  ].join(' \\\n')
}

/** Quotes a text for the shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
