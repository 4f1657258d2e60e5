/** Question of a run to a person before it resumes: whether a tool may be used, or what only the person knows. */
export interface ReviewRequest {
  kind: 'approval' | 'question'
  agentId: string
  toolName: string
  /** Text to show: the question, or what the tool is about to do. */
  text: string
  /** Arguments of the call to be approved; undefined where they are no JSON object. */
  arguments?: Record<string, unknown>
  /** Answers to choose from; free text is always possible. */
  options: string[]
}

export interface Decision {
  decision: 'approve' | 'reject' | 'answer'
  note: string | null
  /** Arguments to call the tool with instead. */
  arguments?: Record<string, unknown>
}

/** Ends the loops of a run that has to wait; what they did so far is in their states. */
export class WaitingForReview extends Error {
  override name = 'WaitingForReview'
  readonly request: ReviewRequest
  constructor(request: ReviewRequest) {
    super('The run waits for a review')
    this.request = request
  }
}
