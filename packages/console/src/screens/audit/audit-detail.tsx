import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/audit.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import type { AuditSearch } from './audit-search.ts'

type AuditDetailProps = { entry: AuditEntry; onSearch: (change: AuditSearch) => void }

export function AuditDetail({ entry, onSearch }: AuditDetailProps) {
  const { actor, entity, at, requestId, reason, project, environment, changes, action, seal } = entry
  const actorId = actor.id
  return (
    <div className="grid gap-16">
      {reason && <p className="whitespace-pre-wrap text-pretty">{reason}</p>}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-16 gap-y-6">
        <Fact name="When">
          <Time at={at} />
        </Fact>
        <Fact name="By">
          {actor.name} <span className="text-text-3">({actor.kind})</span>
        </Fact>
        {project !== null && (
          <Fact name="Project">
            <code>{project}</code>
          </Fact>
        )}
        {environment !== null && (
          <Fact name="Environment">
            <code>{environment}</code>
          </Fact>
        )}
        <Fact name="Entity">
          <CopyText text={entity.id} label={`Copy the id of the ${entity.kind}`} />
        </Fact>
        {requestId !== null && (
          <Fact name="Request">
            <CopyText text={requestId} label="Copy the id of the request" />
          </Fact>
        )}
        <Fact name="Chain">
          {seal === null ? 'Added within a second' : `Position ${fullCountText(seal.position)}`}
        </Fact>
        {seal !== null && (
          <Fact name="Hash">
            <CopyText text={seal.hash} label="Copy the hash" />
          </Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-8">
        <Button onClick={() => onSearch({ entity: entity.kind, id: entity.id })}>
          All changes of this {entity.kind.replace('-', ' ')}
        </Button>
        <Button onClick={() => onSearch({ action })}>
          All <code>{action}</code>
        </Button>
        {environment !== null && (
          <Button onClick={() => onSearch({ environment })}>
            All in <code>{environment}</code>
          </Button>
        )}
        {actorId !== null && (
          <Button onClick={() => onSearch({ actor: actorId })}>
            All entries by {actor.kind === 'user' ? 'them' : 'it'}
          </Button>
        )}
      </div>
      {changes.length === 0 && <p className="text-text-3">No setting changed.</p>}
      {changes.map(({ pointer, before, after }) => (
        <div key={pointer} className="grid min-w-0 gap-4">
          <h3>
            <code className="whitespace-normal [overflow-wrap:anywhere]">{pointer || '/'}</code>
          </h3>
          <DiffView
            before={textOf(before)}
            after={textOf(after)}
            label={`Change of ${pointer || 'everything'}`}
          />
        </div>
      ))}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

/** Missing and null are different here. */
function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
