import type { SignInTest } from '../../api/sign-in-providers.ts'
import { CodeBox } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'

/** What a sign-in with these claims would do. */
export function ClaimsTest({ test }: { test: SignInTest }) {
  const { claims, email, refusal, groups, owner, roles } = test
  return (
    <>
      {refusal === null ? (
        <Notice tone="info" title={`Signs in as ${email}`} />
      ) : (
        <Notice title="This account cannot sign in" detail={refusal} />
      )}
      <Panel title="Roles">
        {groups === null ? (
          <p className="text-text-2">Roles do not follow from groups.</p>
        ) : (
          <div className="grid gap-8">
            <p className="text-text-2">
              {groups.length === 0 ? 'The claim has no groups.' : `Groups: ${groups.join(', ')}`}
            </p>
            <ul className="grid gap-4">
              {owner && <li>Owner of the installation</li>}
              {roles.map(({ project, role, exists }) => (
                <li key={`${project} ${role}`}>
                  <code>{project}</code>: {role}
                  {!exists && <span className="text-warn"> (no such project or role)</span>}
                </li>
              ))}
              {!owner && roles.length === 0 && <li>No roles</li>}
            </ul>
          </div>
        )}
      </Panel>
      <Panel title="Claims">
        <CodeBox code={JSON.stringify(claims, null, 2)} label="Claims" />
      </Panel>
    </>
  )
}
