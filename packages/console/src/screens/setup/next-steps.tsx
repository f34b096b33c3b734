export function NextSteps() {
  return (
    <section className="rounded-panel border border-line bg-surface" aria-label="Where to go next">
      <dl className="divide-y divide-line">
        <Step name="The API">
          Every call, described in the{' '}
          <a className="text-accent underline-offset-2 hover:underline" href="/api/openapi.json">
            OpenAPI document
          </a>
          .
        </Step>
        <Step name="From a script">
          Sign in and create a token with <code>POST /api/v1/account/tokens</code>, then send it as{' '}
          <code>Authorization: Bearer</code>.
        </Step>
        <Step name="For people">Screens for flags, rollouts and sessions arrive with the next release.</Step>
      </dl>
    </section>
  )
}

function Step({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-2 px-16 py-12 wide:grid-cols-[8rem_minmax(0,1fr)] wide:gap-12">
      <dt className="font-medium">{name}</dt>
      <dd className="text-text-2">{children}</dd>
    </div>
  )
}
