import { useQuery } from '@tanstack/react-query'
import { type Deploy, deploysQuery } from '../../api/deploys.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

type ReleaseDeploysProps = { version: string; question: Question }

/** When the version went out in this environment, the newest first, and what was in it. */
export function ReleaseDeploys({ version, question }: ReleaseDeploysProps) {
  const deploys = useQuery(deploysQuery(question, version))
  return (
    <Panel title="Deploys" note="in this time range">
      <Async of={deploys}>
        {({ deploys: found }) =>
          found.length === 0 ? (
            <p className="text-12 text-text-2">
              None was reported. <code>telltale deploy</code> or a deploy webhook marks them.
            </p>
          ) : (
            <ol className="grid gap-12" aria-label={`Deploys of ${version}`}>
              {found.toReversed().map((deploy) => (
                <DeployEntry key={deploy.id} deploy={deploy} />
              ))}
            </ol>
          )
        }
      </Async>
    </Panel>
  )
}

const shownOfId = 8

function DeployEntry({ deploy: { at, author, link, commits, reportedBy } }: { deploy: Deploy }) {
  return (
    <li className="grid gap-4 text-12">
      <p className="flex flex-wrap items-baseline gap-x-8">
        {link === null ? (
          <Time at={at} />
        ) : (
          <a href={link} target="_blank" rel="noreferrer" className="text-accent hover:underline">
            <Time at={at} />
          </a>
        )}
        <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">by {author ?? reportedBy}</span>
      </p>
      {commits.length > 0 && (
        <details>
          <summary className="cursor-pointer text-text-2">{countOf(commits.length, 'commit')}</summary>
          <ul className="mt-4 grid gap-4">
            {commits.map(({ id, message, author: writer }) => (
              <li key={id} className="min-w-0 [overflow-wrap:anywhere]">
                <code className="text-text-3">{id.slice(0, shownOfId)}</code> {message.split('\n', 1)[0]}
                {writer && <span className="text-text-3"> {writer}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
