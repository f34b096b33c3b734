import { Link } from '@tanstack/react-router'
import type { Deploy } from '../../api/deploys.ts'
import { useScope } from '../../shell/scope-context.ts'
import { countOf } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

const commitsShown = 5

/** A deploy on the card of a pennant: its version, author, link and commits. */
export function DeployEntry({ deploy }: { deploy: Deploy }) {
  const { project, environment } = useScope()
  const { version, at, author, link, commits } = deploy
  return (
    <>
      <Link
        to="/p/$project/releases/$version"
        params={{ project, version }}
        search={{ env: environment.key }}
        className="min-w-0 truncate font-code font-medium text-12 text-accent hover:underline"
      >
        {version}
      </Link>
      <span className="text-text-2">
        <b className="font-medium text-text">Deployed</b>
        {author !== null && ` by ${author}`}, <Time at={at} />
      </span>
      {commits.length > 0 && (
        <ul className="grid gap-2 text-12 text-text-2">
          {commits.slice(0, commitsShown).map(({ id, message }) => (
            <li key={id} className="flex min-w-0 gap-6">
              <code className="shrink-0 text-text-3">{id.slice(0, 7)}</code>
              <span className="truncate">{message}</span>
            </li>
          ))}
          {commits.length > commitsShown && <li>{countOf(commits.length - commitsShown, 'more commit')}</li>}
        </ul>
      )}
      {link !== null && (
        <a href={link} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
          Open pipeline
        </a>
      )}
    </>
  )
}
