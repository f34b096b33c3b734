import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

export default {
  // A folder that neither git nor the type checker looks into.
  distDir: 'node_modules/.build',
  outputFileTracingRoot: root,
  turbopack: { root },
  poweredByHeader: false,
}
