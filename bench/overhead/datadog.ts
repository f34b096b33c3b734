// Datadog's browser client, bundled like in an application.

import { build } from 'esbuild'

/** A script with `startDatadog(proxy)`. */
export async function bundleDatadog(options: object): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { datadogRum } from '@datadog/browser-rum'
        globalThis.startDatadog = (proxy) => datadogRum.init({
          applicationId: 'bench', clientToken: 'bench', site: 'datadoghq.com', service: 'bench', proxy,
          sessionSampleRate: 100, trackUserInteractions: true, trackResources: true, trackLongTasks: true,
          ...${JSON.stringify(options)},
        })`,
      resolveDir: import.meta.dirname,
    },
    ...({ bundle: true, minify: true, write: false, format: 'iife', target: 'es2022' } as const),
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote nothing')
  return output.contents
}
