import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Installation, installationQuery } from '../../api/installation.ts'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../ui/time.tsx'
import { sizeText } from './size-text.ts'

export function InstallationScreen() {
  return (
    <SectionScreen of="admin" title="Health and storage">
      <OwnersOnly>
        <Facts />
      </OwnersOnly>
    </SectionScreen>
  )
}

function Facts() {
  const installation = useQuery(installationQuery)
  return (
    <Async of={installation}>
      {(found) => (
        <>
          {installation.error && (
            <Notice
              title="The server does not answer"
              detail="What is shown is what it said last. It is asked again every few seconds."
            />
          )}
          {found.degraded.length > 0 && (
            <Notice
              title={`Not working: ${found.degraded.join(', ')}`}
              detail="Flags are served from what the server keeps in memory. Changes wait until it works again."
            />
          )}
          <Engines installation={found} />
          <Backups at={found.lastBackupAt} />
          <About installation={found} />
        </>
      )}
    </Async>
  )
}

const engineWords = {
  running: { tone: 'ok', text: 'Running' },
  external: { tone: 'ok', text: 'Run by others' },
  restarting: { tone: 'warn', text: 'Restarting' },
  waiting: { tone: 'warn', text: 'Waiting for it' },
  failed: { tone: 'bad', text: 'Failed' },
} as const

function Engines({ installation }: { installation: Installation }) {
  const { postgres } = installation.engines
  const { tone, text } = engineWords[postgres.state]
  return (
    <Panel title="Engines">
      <FactList>
        <Fact name="PostgreSQL">
          <span className="inline-flex flex-wrap items-center gap-8">
            <Badge tone={installation.degraded.includes('postgres') ? 'bad' : tone}>{text}</Badge>
            <span className="text-text-2">{postgres.version}</span>
          </span>
        </Fact>
        <Fact name="Storage used">{sizeText(postgres.sizeBytes)}</Fact>
      </FactList>
    </Panel>
  )
}

const day = 86_400_000
const oldAfter = 2 * day

function Backups({ at }: { at: string | null }) {
  const now = useNow()
  const isOld = at !== null && now - Date.parse(at) > oldAfter
  return (
    <Panel title="Backups">
      <FactList>
        <Fact name="Last backup">
          <span className="inline-flex items-center gap-8">
            <TimeAgo at={at} none="none yet" />
            {isOld && <Badge tone="warn">Old</Badge>}
          </span>
        </Fact>
      </FactList>
      {at === null && (
        <p className="max-w-read pt-8 text-pretty text-12 text-text-3">
          The server copies its own PostgreSQL into the data folder by itself. One that others run is backed
          up by them.
        </p>
      )}
    </Panel>
  )
}

function About({ installation }: { installation: Installation }) {
  const { version, node, startedAt, publicUrl, mail } = installation
  return (
    <Panel title="Server">
      <FactList>
        <Fact name="Version">{version}</Fact>
        <Fact name="Node">{node}</Fact>
        <Fact name="Started">
          <TimeAgo at={startedAt} />
        </Fact>
        <Fact name="Public address">
          {publicUrl === null ? (
            <span className="text-text-3">not set: links name the address that was asked</span>
          ) : (
            <CopyText text={publicUrl} label="Copy the public address" />
          )}
        </Fact>
        <Fact name="Mail">
          {mail ? 'Set up' : <span className="text-text-3">not set up: links are shown, not sent</span>}
        </Fact>
      </FactList>
    </Panel>
  )
}

function FactList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[14ch_minmax(0,1fr)] items-center gap-x-24 gap-y-6">{children}</dl>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
