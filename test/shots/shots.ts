// Pictures of every screen, in both themes and two sizes, into `shots/` (not kept): `npm run shots`, or
// `npm run shots -- '^flags|audit'` for the screens whose name fits that.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../browser/chromium.ts'
import { project, signIn, startConsole } from '../browser/console.ts'
import { fillImpact } from './fill-impact.ts'
import { fillProject } from './fill-project.ts'
import { fillReplay } from './fill-replay.ts'
import { fillTelemetry } from './fill-telemetry.ts'
import { signInAs, viewer } from './people.ts'
import { screens, type Visitor } from './screens.ts'

const folder = join(import.meta.dirname, '../../shots')
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const wanted = new RegExp(process.argv[2] ?? '')
const patience = 5_000
/** What asks the server again and again never lets the network rest. */
const rest = 800

await mkdir(folder, { recursive: true })
await using server = await startConsole({ telemetry: true })
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  let isFilled = false
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ colorScheme, viewport, baseURL: server.url })
      const page = await context.newPage()
      page.setDefaultTimeout(patience)
      await shoot(page, 'nobody', `${colorScheme}-${viewport.width}`)
      await signIn(page, server)
      if (!isFilled) {
        await fillProject({ request: page.request, url: server.url })
        await fillTelemetry(page, server)
        await fillReplay(page, server)
        await fillImpact(page, server)
      }
      isFilled = true
      page.on('dialog', (dialog) => void dialog.accept())
      await shoot(page, 'owner', `${colorScheme}-${viewport.width}`)
      await signInAs(page.request, server.url, viewer)
      await shoot(page, 'viewer', `${colorScheme}-${viewport.width}`)
      await context.close()
    }
  }
} finally {
  await browser.close()
}

async function shoot(page: Page, visitor: Visitor, suffix: string): Promise<void> {
  for (const screen of screens) {
    if (screen.visitor !== visitor || !wanted.test(screen.name)) continue
    await page.goto(screen.path.replace(':project', project.key))
    await page.locator('main').waitFor({ timeout: patience })
    await page.waitForLoadState('networkidle', { timeout: rest }).catch(() => undefined)
    // One picture that cannot be arranged must not cost the others.
    await screen.act?.(page).catch((error) => process.stderr.write(`${screen.name}: ${error}\n`))
    if (screen.act) await page.waitForLoadState('networkidle', { timeout: rest }).catch(() => undefined)
    const loading = page.getByRole('status', { name: /^Loading/ }).first()
    await loading.waitFor({ state: 'detached', timeout: rest }).catch(() => undefined)
    await page.evaluate(() => globalThis.document.fonts.ready)
    const path = join(folder, `${screen.name}-${suffix}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    process.stdout.write(`${path}\n`)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
}
