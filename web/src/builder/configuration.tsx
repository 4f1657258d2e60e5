import type { Agent } from '@docent/sdk'
import { SideChat } from './side-chat.tsx'

interface ConfigurationProps {
  agent: Agent
  isUnsaved: boolean
}

/** A chat that helps to set the agent up. */
export const Configuration = ({ agent, isUnsaved }: ConfigurationProps) => (
  <SideChat
    side="configure"
    agent={agent}
    name="the assistant"
    chatType="configuration"
    hint={isUnsaved && 'Save or discard your changes first: proposals build on what is saved.'}
    begin={() => null}
    after={() => null}
  />
)
