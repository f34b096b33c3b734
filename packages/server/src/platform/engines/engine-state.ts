/** `waiting`: it was away when the server started, or is opening, and is not prepared yet. */
export type EngineState = 'running' | 'restarting' | 'failed' | 'external' | 'waiting'
