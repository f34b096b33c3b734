import { useQuery } from '@tanstack/react-query'
import { type Installation, installationQuery } from '../../api/installation.ts'
import { OwnersOnly } from '../../shell/owners-only.tsx'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../ui/text/time.tsx'
import { ControlPlane, TelemetryStore } from './engine-panels.tsx'
import { Fact, FactList } from './facts.tsx'
import { PublicAddress } from './public-address.tsx'
import { SecondFactorPolicyPanel } from './second-factor-policy.tsx'
import { SessionLifetimesPanel } from './session-lifetimes.tsx'

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
              title="The server does not respond"
              detail="Showing the last known state. Retrying every few seconds."
            />
          )}
          {found.mail && found.publicUrl === null && <NoPublicAddress />}
          {found.degradations.map(({ part, reason }) => (
            <Degraded key={part} part={part} reason={reason} />
          ))}
          <ControlPlane installation={found} />
          <TelemetryStore installation={found} />
          <Backups at={found.lastBackupAt} />
          <SecondFactorPolicyPanel installation={found} />
          <SessionLifetimesPanel installation={found} />
          <About installation={found} />
        </>
      )}
    </Async>
  )
}

function NoPublicAddress() {
  return (
    <Notice
      title="Mail is set up, but the public address is missing"
      detail="Invitations and password resets are not mailed until it is set below or by TELLTALE_PUBLIC_URL."
    />
  )
}

const partWords: Record<string, { title: string; detail: string }> = {
  postgres: {
    title: 'PostgreSQL has a problem',
    detail: 'Flags are served from memory. Changes are not possible until it works again.',
  },
  clickhouse: {
    title: 'The telemetry store has a problem',
    detail: 'Flags are not affected. Incoming events are kept on disk and stored once it is available.',
  },
  spool: {
    title: 'Event storage has a problem',
    detail: 'Flags are not affected. When the spool is full, the least important events are refused first.',
  },
  guard: {
    title: 'The guard has a problem',
    detail: 'Rollouts stay at their stage until it is solved.',
  },
  disk: {
    title: 'The disk has a problem',
    detail: 'Flags are still served. Changes and events are refused until it is solved.',
  },
}

function Degraded({ part, reason }: { part: string; reason: string }) {
  const words = partWords[part] ?? { title: `Not working: ${part}`, detail: '' }
  return <Notice title={words.title} detail={`${capitalised(reason)}. ${words.detail}`} />
}

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

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
            <TimeAgo at={at} none="none" />
            {isOld && <Badge tone="warn">Overdue</Badge>}
          </span>
        </Fact>
      </FactList>
      {at === null && (
        <p className="max-w-read pt-8 text-pretty text-12 text-text-3">
          The server backs up its embedded PostgreSQL to the data folder. Back up an external PostgreSQL
          yourself.
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
        <PublicAddress installation={installation} />
        <Fact name="Mail">
          {!mail ? (
            <span className="text-text-3">No mail server. Links are shown instead of sent.</span>
          ) : publicUrl === null ? (
            <span className="text-text-3">
              Set the public address to send invitations and password resets.
            </span>
          ) : (
            'Set up'
          )}
        </Fact>
      </FactList>
    </Panel>
  )
}
