/** `waiting`: unavailable since the server started, or opening and not prepared yet. */
export type EngineState = 'running' | 'restarting' | 'failed' | 'external' | 'waiting'
