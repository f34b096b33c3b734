export const visitorOf = (request) =>
  /visitor=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'anonymous'
