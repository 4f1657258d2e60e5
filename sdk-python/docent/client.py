# Made by `npm run generate` from openapi.json. Do not edit.
"""A method for each operation of the API."""

from __future__ import annotations

from http.client import HTTPResponse
from typing import Any, List, Literal, Mapping

from . import _types as t
from ._answers import AnswerStream
from ._indexing import Indexed, wait_until_indexed
from ._lists import Listing
from ._transport import Options, Transport, new_object_id, segment
from ._uploads import Content, Progress, form_of

class Outputs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def download(
        self,
        organization_id: str,
        message_id: str,
        key: str,
        *,
        expires: str | None = None,
        signature: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Download a file that an agent made, by its signed link."""
        return self._transport.open("GET", f"/outputs/{segment(organization_id)}/{segment(message_id)}/{segment(key)}", {"expires": expires, "signature": signature}, None, options)


class Session:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.SignIn,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign a browser in with an API key; the answer sets a cookie that stands for it."""
        return self._transport.json("POST", "/session", None, body, options)

    def get(
        self,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Whether this browser is signed in, and as whom."""
        return self._transport.json("GET", "/session", None, None, options)

    def delete(
        self,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign this browser out."""
        return self._transport.json("DELETE", "/session", None, None, options)

    def create_with_password(
        self,
        body: t.PasswordSignIn,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign a browser in with e-mail and password; the answer sets its cookie, or asks for a second factor."""
        return self._transport.json("POST", "/session/password", None, body, options)

    def create_with_second_factor(
        self,
        body: t.SecondFactor,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign a browser in whose password was right, with a code or a passkey; the answer sets its cookie."""
        return self._transport.json("POST", "/session/second-factor", None, body, options)

    def options(
        self,
        *,
        options: Options | None = None,
    ) -> t.SignInOptions:
        """Ways to sign in that this server offers."""
        return self._transport.json("GET", "/session/options", None, None, options)

    def begin_with_passkey(
        self,
        body: t.BeginPasskeySignIn,
        *,
        options: Options | None = None,
    ) -> t.SessionBeginWithPasskeyReply:
        """Begin to sign in with a passkey; the answer sets a cookie that the end needs."""
        return self._transport.json("POST", "/session/passkey/challenge", None, body, options)

    def create_with_passkey(
        self,
        body: t.PasskeySignIn,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign a browser in with a passkey alone, which checks PIN, finger or face; the answer sets its cookie."""
        return self._transport.json("POST", "/session/passkey", None, body, options)

    def begin_with_provider(
        self,
        provider_id: str,
        body: t.BeginProviderSignIn,
        *,
        options: Options | None = None,
    ) -> t.ProviderUrl:
        """Begin to sign in with an OpenID Connect provider; the answer sets a cookie that the end needs."""
        return self._transport.json("POST", f"/session/providers/{segment(provider_id)}", None, body, options)

    def create_with_provider(
        self,
        provider_id: str,
        body: t.ProviderAnswer,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Sign a browser in with a provider's answer; the answer sets its cookie."""
        return self._transport.json("POST", f"/session/providers/{segment(provider_id)}/finish", None, body, options)


class PasswordLinks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def request(
        self,
        body: t.ForgottenPassword,
        *,
        options: Options | None = None,
    ) -> t.PasswordLinksRequestReply:
        """Have a link for a forgotten password sent; the answer is the same whether there is such an account."""
        return self._transport.json("POST", "/password-links", None, body, options)

    def use(
        self,
        body: t.UsePasswordLink,
        *,
        options: Options | None = None,
    ) -> t.PasswordLinksUseReply:
        """Set another password with a link; all sessions of the account end."""
        return self._transport.json("POST", "/password-links/use", None, body, options)


class Invitations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def look(
        self,
        body: t.LinkToken,
        *,
        options: Options | None = None,
    ) -> t.InvitationView:
        """Show the workspace and the role of an invitation."""
        return self._transport.json("POST", "/invitations/look", None, body, options)

    def accept(
        self,
        body: t.AcceptInvitation,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Use an invitation: makes an account, or takes the one with this e-mail and password, and signs in."""
        return self._transport.json("POST", "/invitations/accept", None, body, options)

    def create(
        self,
        body: t.CreateInvitation,
        *,
        options: Options | None = None,
    ) -> t.MadeInvitation:
        """Invite somebody by a link, which is shown this once and sent if SMTP_URL is set; it ends with the rights of whoever made it."""
        return self._transport.json("POST", "/invitations", None, body, options)

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Invitation]:
        """List the invitations that nobody used yet, newest first."""
        return Listing(lambda number: self._transport.json("GET", "/invitations", {"page": number, "page_size": page_size}, None, options), page)

    def revoke(
        self,
        invitation_id: str,
        *,
        options: Options | None = None,
    ) -> t.InvitationsRevokeReply:
        """Revoke an invitation; its link stops working at once."""
        return self._transport.json("DELETE", f"/invitations/{segment(invitation_id)}", None, None, options)


class SharedVisits:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        token: str,
        body: t.OpenVisit,
        *,
        options: Options | None = None,
    ) -> t.Visit:
        """Get the token with which a visitor chats: it opens their own chats with this agent, and nothing else."""
        return self._transport.json("POST", f"/shared/{segment(token)}/visits", None, body, options)


class Shared:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.visits = SharedVisits(transport)

    def get(
        self,
        token: str,
        *,
        options: Options | None = None,
    ) -> t.SharedAgent:
        """Show the agent that a link leads to."""
        return self._transport.json("GET", f"/shared/{segment(token)}", None, None, options)

    def logo(
        self,
        token: str,
        *,
        v: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Read the logo of a link."""
        return self._transport.open("GET", f"/shared/{segment(token)}/logo", {"v": v}, None, options)


class ApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        workspace_id: str,
        body: t.CreateApiKey,
        *,
        options: Options | None = None,
    ) -> t.CreatedApiKey:
        """Make an API key; it is shown this once."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/api-keys", None, body, options)

    def list(
        self,
        workspace_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.ApiKey]:
        """List the API keys of a workspace, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/api-keys", {"page": number, "page_size": page_size}, None, options), page)

    def update(
        self,
        workspace_id: str,
        key_id: str,
        body: t.UpdateApiKey,
        *,
        options: Options | None = None,
    ) -> t.ApiKey:
        """Change the name, the expiry, the rate limit or the scopes of an API key."""
        return self._transport.json("PATCH", f"/workspaces/{segment(workspace_id)}/api-keys/{segment(key_id)}", None, body, options)

    def revoke(
        self,
        workspace_id: str,
        key_id: str,
        *,
        options: Options | None = None,
    ) -> t.ApiKeysRevokeReply:
        """Revoke an API key; it stops working within 5 seconds."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/api-keys/{segment(key_id)}", None, None, options)

    def rotate(
        self,
        workspace_id: str,
        key_id: str,
        body: t.RotateApiKey,
        *,
        options: Options | None = None,
    ) -> t.CreatedApiKey:
        """Give an API key a new secret; the earlier one works for some time beside it."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/api-keys/{segment(key_id)}/rotate", None, body, options)


class BrowserOrigins:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.BrowserOriginsGetReply:
        """List the origins whose pages may call with the token of a virtual user."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/origins", None, None, options)

    def put(
        self,
        workspace_id: str,
        body: t.BrowserOrigins,
        *,
        options: Options | None = None,
    ) -> t.BrowserOriginsPutReply:
        """Set the origins whose pages may call with the token of a virtual user."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/origins", None, body, options)


class MembersSecondFactor:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.SecondFactorDemand:
        """Whether the workspace demands a second factor of its members, and who has none."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/second-factor", None, None, options)

    def set(
        self,
        workspace_id: str,
        body: t.SetSecondFactorDemand,
        *,
        options: Options | None = None,
    ) -> t.SecondFactorDemand:
        """Demand a second factor of the members of the workspace, or no longer."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/second-factor", None, body, options)


class Members:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.second_factor = MembersSecondFactor(transport)

    def picture(
        self,
        member_id: str,
        *,
        v: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Read the picture of a member."""
        return self._transport.open("GET", f"/members/{segment(member_id)}/picture", {"v": v}, None, options)

    def remove_two_factor(
        self,
        member_id: str,
        *,
        options: Options | None = None,
    ) -> t.MembersRemoveTwoFactorReply:
        """Turn the second factor of a member off who lost the app and the recovery codes."""
        return self._transport.json("DELETE", f"/members/{segment(member_id)}/two-factor", None, None, options)

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Member]:
        """List the members of a workspace by name."""
        return Listing(lambda number: self._transport.json("GET", "/members", {"page": number, "page_size": page_size}, None, options), page)

    def create(
        self,
        body: t.CreateMember,
        *,
        options: Options | None = None,
    ) -> t.Member:
        """Make somebody a member at once, with an account if they have none."""
        return self._transport.json("POST", "/members", None, body, options)

    def get(
        self,
        member_id: str,
        *,
        options: Options | None = None,
    ) -> t.Member:
        """Get a member; everybody may get themselves."""
        return self._transport.json("GET", f"/members/{segment(member_id)}", None, None, options)

    def update(
        self,
        member_id: str,
        body: t.UpdateMember,
        *,
        options: Options | None = None,
    ) -> t.MembersUpdateReply:
        """Change the role or the groups of a member; it counts within 5 seconds."""
        return self._transport.json("PATCH", f"/members/{segment(member_id)}", None, body, options)

    def remove(
        self,
        member_id: str,
        *,
        options: Options | None = None,
    ) -> t.MembersRemoveReply:
        """End a membership with its personal keys and sessions, within 5 seconds; everybody may end their own."""
        return self._transport.json("DELETE", f"/members/{segment(member_id)}", None, None, options)

    def create_password_link(
        self,
        member_id: str,
        *,
        options: Options | None = None,
    ) -> t.MadeLink:
        """Make a link for a member who forgot the password: it works once, for an hour."""
        return self._transport.json("POST", f"/members/{segment(member_id)}/password-link", None, None, options)


class ScimTokens:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        workspace_id: str,
        body: t.CreateScimToken,
        *,
        options: Options | None = None,
    ) -> t.CreatedScimToken:
        """Make a token for a company's directory (SCIM 2.0); it is shown this once."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/scim-tokens", None, body, options)

    def list(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.ScimTokensListReply:
        """List the SCIM tokens of a workspace, newest first."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/scim-tokens", None, None, options)

    def revoke(
        self,
        workspace_id: str,
        scim_token_id: str,
        *,
        options: Options | None = None,
    ) -> t.ScimTokensRevokeReply:
        """Revoke a SCIM token; it stops working at once."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/scim-tokens/{segment(scim_token_id)}", None, None, options)


class AccountSessions:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountSessionsListReply:
        """Browsers that are signed in to the account, the last used first."""
        return self._transport.json("GET", "/account/sessions", None, None, options)

    def end_others(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountSessionsEndOthersReply:
        """Sign all other browsers out."""
        return self._transport.json("DELETE", "/account/sessions", None, None, options)

    def end(
        self,
        session_id: str,
        *,
        options: Options | None = None,
    ) -> t.AccountSessionsEndReply:
        """Sign one browser out."""
        return self._transport.json("DELETE", f"/account/sessions/{segment(session_id)}", None, None, options)


class AccountIdentities:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def unlink(
        self,
        identity_id: str,
        *,
        options: Options | None = None,
    ) -> t.AccountIdentitiesUnlinkReply:
        """Sign in with this provider no more; refused for the only way into an account without a password."""
        return self._transport.json("DELETE", f"/account/identities/{segment(identity_id)}", None, None, options)


class AccountPicture:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def set(
        self,
        body: t.SetPicture,
        *,
        options: Options | None = None,
    ) -> t.AccountPictureSetReply:
        """Set the picture that others of the workspaces see."""
        return self._transport.json("PUT", "/account/picture", None, body, options)

    def remove(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountPictureRemoveReply:
        """Remove the picture; initials stand in its place."""
        return self._transport.json("DELETE", "/account/picture", None, None, options)


class AccountTwoFactor:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def begin(
        self,
        body: t.BeginTwoFactor,
        *,
        options: Options | None = None,
    ) -> t.TwoFactorSecret:
        """Make the secret of an authenticator app; it counts once a code was confirmed."""
        return self._transport.json("POST", "/account/two-factor", None, body, options)

    def confirm(
        self,
        body: t.ConfirmTwoFactor,
        *,
        options: Options | None = None,
    ) -> t.RecoveryCodes:
        """Turn the second factor on with a code of the app; all other sessions of the account end."""
        return self._transport.json("POST", "/account/two-factor/confirmation", None, body, options)

    def renew_recovery_codes(
        self,
        body: t.ProveTwoFactor,
        *,
        options: Options | None = None,
    ) -> t.RecoveryCodes:
        """Make ten other recovery codes; the ones until now end."""
        return self._transport.json("POST", "/account/two-factor/recovery-codes", None, body, options)

    def remove(
        self,
        body: t.ProveTwoFactor,
        *,
        options: Options | None = None,
    ) -> t.AccountTwoFactorRemoveReply:
        """Turn the second factor off, with a code of the app or a recovery code."""
        return self._transport.json("POST", "/account/two-factor/removal", None, body, options)


class AccountPasskeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def challenge(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountPasskeysChallengeReply:
        """Make a challenge for a passkey of the account, as proof for a change of its passkeys."""
        return self._transport.json("POST", "/account/passkeys/challenge", None, None, options)

    def begin(
        self,
        body: t.PasskeyProof,
        *,
        options: Options | None = None,
    ) -> t.AccountPasskeysBeginReply:
        """Begin to add a passkey; the answer sets a cookie that the end needs."""
        return self._transport.json("POST", "/account/passkeys/options", None, body, options)

    def add(
        self,
        body: t.AddPasskey,
        *,
        options: Options | None = None,
    ) -> t.Passkey:
        """Add the passkey; if it is the first second factor, all other sessions of the account end."""
        return self._transport.json("POST", "/account/passkeys", None, body, options)

    def update(
        self,
        passkey_id: str,
        body: t.RenamePasskey,
        *,
        options: Options | None = None,
    ) -> t.Passkey:
        """Give a passkey another name."""
        return self._transport.json("PATCH", f"/account/passkeys/{segment(passkey_id)}", None, body, options)

    def remove(
        self,
        passkey_id: str,
        body: t.PasskeyProof,
        *,
        options: Options | None = None,
    ) -> t.AccountPasskeysRemoveReply:
        """Remove a passkey; refused for the only way into an account without a password."""
        return self._transport.json("POST", f"/account/passkeys/{segment(passkey_id)}/removal", None, body, options)


class AccountApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.CreatePersonalKey,
        *,
        options: Options | None = None,
    ) -> t.CreatedApiKey:
        """Make a personal API key for this workspace, with the rights of the member; it is shown this once."""
        return self._transport.json("POST", "/account/api-keys", None, body, options)

    def list(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountApiKeysListReply:
        """The personal API keys that one has in this workspace, newest first."""
        return self._transport.json("GET", "/account/api-keys", None, None, options)

    def rotate(
        self,
        key_id: str,
        body: t.RotateApiKey,
        *,
        options: Options | None = None,
    ) -> t.CreatedApiKey:
        """Give a personal API key a new secret; the earlier one works for some time beside it."""
        return self._transport.json("POST", f"/account/api-keys/{segment(key_id)}/rotate", None, body, options)

    def revoke(
        self,
        key_id: str,
        *,
        options: Options | None = None,
    ) -> t.AccountApiKeysRevokeReply:
        """Revoke a personal API key; it stops working within 5 seconds."""
        return self._transport.json("DELETE", f"/account/api-keys/{segment(key_id)}", None, None, options)


class AccountApps:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def check(
        self,
        body: t.CheckAppRequest,
        *,
        options: Options | None = None,
    ) -> t.AppRequest:
        """Show what an app asks for that sent the browser to the consent page."""
        return self._transport.json("POST", "/account/apps/actions/check", None, body, options)

    def decide(
        self,
        body: t.DecideAppRequest,
        *,
        options: Options | None = None,
    ) -> t.AppDecision:
        """Let an app act for oneself in this workspace, or refuse it."""
        return self._transport.json("POST", "/account/apps/actions/decide", None, body, options)

    def check_device(
        self,
        body: t.CheckDevice,
        *,
        options: Options | None = None,
    ) -> t.DeviceRequest:
        """Show which program without a browser waits for a code that it shows."""
        return self._transport.json("POST", "/account/devices/actions/check", None, body, options)

    def decide_device(
        self,
        body: t.DecideDevice,
        *,
        options: Options | None = None,
    ) -> t.DeviceDecision:
        """Let a program without a browser act for oneself in this workspace, or refuse it."""
        return self._transport.json("POST", "/account/devices/actions/decide", None, body, options)

    def list(
        self,
        *,
        options: Options | None = None,
    ) -> t.AccountAppsListReply:
        """Apps that act for oneself in this workspace, newest first."""
        return self._transport.json("GET", "/account/apps", None, None, options)

    def revoke(
        self,
        app_id: str,
        *,
        options: Options | None = None,
    ) -> t.AccountAppsRevokeReply:
        """Disconnect an app; its tokens stop working within 5 seconds."""
        return self._transport.json("DELETE", f"/account/apps/{segment(app_id)}", None, None, options)


class Account:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.sessions = AccountSessions(transport)
        self.identities = AccountIdentities(transport)
        self.picture = AccountPicture(transport)
        self.two_factor = AccountTwoFactor(transport)
        self.passkeys = AccountPasskeys(transport)
        self.api_keys = AccountApiKeys(transport)
        self.apps = AccountApps(transport)

    def get(
        self,
        *,
        options: Options | None = None,
    ) -> t.Account:
        """The account that is signed in, with its workspaces."""
        return self._transport.json("GET", "/account", None, None, options)

    def update(
        self,
        body: t.UpdateAccount,
        *,
        options: Options | None = None,
    ) -> t.Account:
        """Change the name or the language of the account."""
        return self._transport.json("PATCH", "/account", None, body, options)

    def delete(
        self,
        body: t.DeleteAccount,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Delete the account with its memberships, keys and sessions; what it made in workspaces stays."""
        return self._transport.json("POST", "/account/deletion", None, body, options)

    def change_password(
        self,
        body: t.ChangePassword,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Change the password; all other sessions of the account end."""
        return self._transport.json("PUT", "/account/password", None, body, options)

    def choose_workspace(
        self,
        body: t.ChooseWorkspace,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Go on in another workspace of the account; the cookie changes with it."""
        return self._transport.json("PUT", "/account/workspace", None, body, options)

    def join(
        self,
        body: t.JoinWorkspace,
        *,
        options: Options | None = None,
    ) -> t.WebSession:
        """Use an invitation with the account that is signed in, and go on in its workspace."""
        return self._transport.json("POST", "/account/invitations", None, body, options)


class Groups:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.MemberGroup]:
        """List the groups of a workspace by name."""
        return Listing(lambda number: self._transport.json("GET", "/groups", {"page": number, "page_size": page_size}, None, options), page)

    def create(
        self,
        body: t.MemberGroupFields,
        *,
        options: Options | None = None,
    ) -> t.MemberGroup:
        """Make a group."""
        return self._transport.json("POST", "/groups", None, body, options)

    def get(
        self,
        group_id: str,
        *,
        options: Options | None = None,
    ) -> t.MemberGroup:
        """Get a group."""
        return self._transport.json("GET", f"/groups/{segment(group_id)}", None, None, options)

    def update(
        self,
        group_id: str,
        body: t.MemberGroupFields,
        *,
        options: Options | None = None,
    ) -> t.GroupsUpdateReply:
        """Rename a group."""
        return self._transport.json("PATCH", f"/groups/{segment(group_id)}", None, body, options)

    def delete(
        self,
        group_id: str,
        *,
        options: Options | None = None,
    ) -> t.GroupsDeleteReply:
        """Delete a group; its members stay in the workspace."""
        return self._transport.json("DELETE", f"/groups/{segment(group_id)}", None, None, options)


class SignInProviders:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.SignInProvidersListReply:
        """List the OpenID Connect providers of a workspace, and those that an operator set."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/sign-in-providers", None, None, options)

    def create(
        self,
        workspace_id: str,
        body: t.CreateSignInProvider,
        *,
        options: Options | None = None,
    ) -> t.SignInProvider:
        """Add an OpenID Connect provider; it is on the sign-in page at once."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/sign-in-providers", None, body, options)

    def test(
        self,
        workspace_id: str,
        body: t.TestSignInProvider,
        *,
        options: Options | None = None,
    ) -> t.TestedSignInProvider:
        """Try whether a provider can be asked and knows the client, before or after it was added."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/sign-in-providers/test", None, body, options)

    def replace(
        self,
        workspace_id: str,
        sign_in_provider_id: str,
        body: t.ReplaceSignInProvider,
        *,
        options: Options | None = None,
    ) -> t.SignInProvider:
        """Change an OpenID Connect provider; it counts from the next sign-in."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/sign-in-providers/{segment(sign_in_provider_id)}", None, body, options)

    def delete(
        self,
        workspace_id: str,
        sign_in_provider_id: str,
        *,
        options: Options | None = None,
    ) -> t.SignInProvidersDeleteReply:
        """Remove an OpenID Connect provider; people who are signed in stay so."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/sign-in-providers/{segment(sign_in_provider_id)}", None, None, options)


class VirtualUsersGrants:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        options: Options | None = None,
    ) -> t.VirtualUserGrants:
        """Tell from which folders a virtual user is answered."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/grants", None, None, options)

    def set(
        self,
        workspace_id: str,
        virtual_user_id: str,
        body: t.SetVirtualUserGrants,
        *,
        options: Options | None = None,
    ) -> t.VirtualUserGrants:
        """Say from which folders a virtual user is answered."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/grants", None, body, options)


class VirtualUsersMemories:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        agent_id: t.ObjectId | None = None,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Memory]:
        """List what agents remember of a person, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/memories", {"agent_id": agent_id, "page": number, "page_size": page_size}, None, options), page)

    def delete(
        self,
        workspace_id: str,
        virtual_user_id: str,
        memory_id: str,
        *,
        options: Options | None = None,
    ) -> t.VirtualUsersMemoriesDeleteReply:
        """Make an agent forget something about a person."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/memories/{segment(memory_id)}", None, None, options)


class VirtualUsers:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.grants = VirtualUsersGrants(transport)
        self.memories = VirtualUsersMemories(transport)

    def create(
        self,
        workspace_id: str,
        body: t.VirtualUsersCreateBody,
        *,
        options: Options | None = None,
    ) -> t.VirtualUser:
        """Create a virtual user, or get the one that has the e-mail already."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/virtual-users", None, body, options)

    def list(
        self,
        workspace_id: str,
        *,
        email: str | None = None,
        search: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.VirtualUser]:
        """List the virtual users, newest first, or find some."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users", {"email": email, "search": search, "page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        options: Options | None = None,
    ) -> t.VirtualUser:
        """Get a virtual user."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}", None, None, options)

    def update(
        self,
        workspace_id: str,
        virtual_user_id: str,
        body: t.VirtualUsersUpdateBody,
        *,
        options: Options | None = None,
    ) -> t.VirtualUser:
        """Update a virtual user; its e-mail cannot be changed."""
        return self._transport.json("PATCH", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}", None, body, options)

    def delete(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        options: Options | None = None,
    ) -> t.VirtualUsersDeleteReply:
        """Remove a virtual user; its e-mail brings it back."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}", None, None, options)

    def chats(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Chat]:
        """List the chats in which a person asked something, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/chats", {"page": number, "page_size": page_size}, None, options), page)

    def usage(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        options: Options | None = None,
    ) -> t.VirtualUserUsage:
        """Report the usage of a person so far."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/usage", None, None, options)

    def export(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Export all that is kept about a person as a ZIP archive."""
        return self._transport.open("GET", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/export", {"from": from_, "to": to}, None, options)

    def merge(
        self,
        workspace_id: str,
        virtual_user_id: str,
        body: t.MergeVirtualUser,
        *,
        options: Options | None = None,
    ) -> t.MergedVirtualUser:
        """Merge a person into another one: chats, usage, memories, uploads and the e-mail are then theirs."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/merge", None, body, options)

    def erase(
        self,
        workspace_id: str,
        virtual_user_id: str,
        *,
        options: Options | None = None,
    ) -> t.ErasedVirtualUser:
        """Remove a person and what they left, for good."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/virtual-users/{segment(virtual_user_id)}/erase", None, None, options)


class UserTokens:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.CreateUserToken,
        *,
        options: Options | None = None,
    ) -> t.UserToken:
        """Get a token with which a virtual user chats by themselves, from a browser."""
        return self._transport.json("POST", "/user-tokens", None, body, options)


class KnowledgeBasesGrants:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        knowledge_base_id: str,
        *,
        options: Options | None = None,
    ) -> t.FolderGrants:
        """Tell who of your workspace may do what with a folder, and why."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/grants", None, None, options)

    def set(
        self,
        knowledge_base_id: str,
        body: t.SetFolderGrants,
        *,
        options: Options | None = None,
    ) -> t.FolderGrants:
        """Say who of your workspace may do what with a folder and all below it."""
        return self._transport.json("PUT", f"/knowledge-bases/{segment(knowledge_base_id)}/grants", None, body, options)


class KnowledgeBases:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.grants = KnowledgeBasesGrants(transport)

    def create(
        self,
        body: t.KnowledgeBasesCreateBody,
        *,
        options: Options | None = None,
    ) -> t.CreatedKnowledgeBase:
        """Create a folder."""
        return self._transport.json("POST", "/knowledge-bases", None, body, options)

    def list(
        self,
        *,
        scope: Literal["org", "shared", "all"] | None = None,
        parent_kb_id: str | None = None,
        include_counts: bool | None = None,
        options: Options | None = None,
    ) -> t.KnowledgeBasesListReply:
        """List the folders at the root or in a parent, by name, with the number of their sub-folders if asked for."""
        return self._transport.json("GET", "/knowledge-bases", {"scope": scope, "parent_kb_id": parent_kb_id, "include_counts": include_counts}, None, options)

    def get(
        self,
        knowledge_base_id: str,
        *,
        include_counts: bool | None = None,
        options: Options | None = None,
    ) -> t.KnowledgeBaseDetail:
        """Get a folder, with the number of its sub-folders and files if asked for."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}", {"include_counts": include_counts}, None, options)

    def wait_until_indexed(self, knowledge_base_id: str, *, timeout: float = 1800.0) -> Indexed:
        """Wait until no file of a folder is to be indexed any more; those in its sub-folders are not looked at."""
        return wait_until_indexed(self._transport, knowledge_base_id, timeout)

    def update(
        self,
        knowledge_base_id: str,
        body: t.KnowledgeBasesUpdateBody,
        *,
        options: Options | None = None,
    ) -> t.KnowledgeBaseDetail:
        """Rename, tag or move a folder."""
        return self._transport.json("PATCH", f"/knowledge-bases/{segment(knowledge_base_id)}", None, body, options)

    def delete(
        self,
        knowledge_base_id: str,
        *,
        options: Options | None = None,
    ) -> t.KnowledgeBasesDeleteReply:
        """Delete a folder with all its sub-folders and files, for good."""
        return self._transport.json("DELETE", f"/knowledge-bases/{segment(knowledge_base_id)}", None, None, options)

    def follow(
        self,
        knowledge_base_id: str,
        *,
        options: Options | None = None,
    ) -> HTTPResponse:
        """A stream of what happens to the files of a folder, which resumes after the Last-Event-ID."""
        return self._transport.open("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/events", None, None, options)

    def download(
        self,
        knowledge_base_id: str,
        *,
        after: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Download a folder with all folders and files below it as a ZIP archive."""
        return self._transport.open("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/actions/download", {"after": after}, None, options)

    def search(
        self,
        knowledge_base_id: str,
        *,
        query: str | None = None,
        limit: int | None = None,
        recursive: bool | None = None,
        filters: str | None = None,
        explain: bool | None = None,
        options: Options | None = None,
    ) -> t.KnowledgeBasesSearchReply:
        """Find passages in a folder, best first."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/search", {"query": query, "limit": limit, "recursive": recursive, "filters": filters, "explain": explain}, None, options)


class Shares:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        knowledge_base_id: str,
        body: t.SharesCreateBody,
        *,
        options: Options | None = None,
    ) -> t.Share:
        """Let another organization read a folder and all below it."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/shares", None, body, options)

    def list(
        self,
        knowledge_base_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Share]:
        """List the organizations that a folder is shared with."""
        return Listing(lambda number: self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/shares", {"page": number, "page_size": page_size}, None, options), page)

    def delete(
        self,
        knowledge_base_id: str,
        organization_id: str,
        *,
        options: Options | None = None,
    ) -> t.SharesDeleteReply:
        """End the sharing of a folder with an organization, at once."""
        return self._transport.json("DELETE", f"/knowledge-bases/{segment(knowledge_base_id)}/shares/{segment(organization_id)}", None, None, options)


class DataSourcesPushed:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def put(
        self,
        knowledge_base_id: str,
        external_id: str,
        body: t.PushFile,
        *,
        options: Options | None = None,
    ) -> t.PushedDataSource:
        """Make or replace the file with an id of another system; the same again changes nothing."""
        return self._transport.json("PUT", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/by-external-id/{segment(external_id)}", None, body, options)

    def get(
        self,
        knowledge_base_id: str,
        external_id: str,
        *,
        options: Options | None = None,
    ) -> t.PushedDataSource:
        """Get the file with an id of another system."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/by-external-id/{segment(external_id)}", None, None, options)

    def delete(
        self,
        knowledge_base_id: str,
        external_id: str,
        *,
        updated_at: str | None = None,
        options: Options | None = None,
    ) -> t.DataSourcesPushedDeleteReply:
        """Delete the file with an id of another system; one that is not there is no error."""
        return self._transport.json("DELETE", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/by-external-id/{segment(external_id)}", {"updated_at": updated_at}, None, options)

    def batch(
        self,
        knowledge_base_id: str,
        body: t.PushFiles,
        *,
        options: Options | None = None,
    ) -> t.DataSourcesPushedBatchReply:
        """Make, replace and delete up to 1,000 files by ids of another system, with a result for each."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/batch", None, body, options)


class DataSourcesVersions:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourcesVersionsListReply:
        """List the contents that a file has and had, as far as they are kept."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/versions", None, None, options)

    def content(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        version: str,
        *,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Read the bytes of a version of a file, or a part of them."""
        return self._transport.open("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/versions/{segment(version)}/content", None, None, options)

    def restore(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        version: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourceDetail:
        """Give a file the content of an earlier version again, as a new version."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/versions/{segment(version)}/restore", None, None, options)


class DataSourcesReaders:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> t.ShownReaders:
        """Tell who of those who may read its folder may read a file."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/readers", None, None, options)

    def set(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        body: t.SetFileReaders,
        *,
        options: Options | None = None,
    ) -> t.ShownReaders:
        """Say who of those who may read its folder may read a file; it counts at once."""
        return self._transport.json("PUT", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/readers", None, body, options)


class DataSourcesPassageEdits:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourcesPassageEditsListReply:
        """List the changes of a file’s passages by hand."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/passage-edits", None, None, options)

    def create(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        body: t.ChangePassage,
        *,
        options: Options | None = None,
    ) -> t.PassageEdit | None:
        """Edit a passage of a file, switch it off, or add one after it."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/passage-edits", None, body, options)

    def undo(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        passage_edit_id: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourcesPassageEditsUndoReply:
        """Take a change of a passage back: it is again as it was read."""
        return self._transport.json("DELETE", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/passage-edits/{segment(passage_edit_id)}", None, None, options)


class DataSources:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.pushed = DataSourcesPushed(transport)
        self.versions = DataSourcesVersions(transport)
        self.readers = DataSourcesReaders(transport)
        self.passage_edits = DataSourcesPassageEdits(transport)

    def list(
        self,
        knowledge_base_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        recursive: bool | None = None,
        search_str: str | None = None,
        filters: str | None = None,
        order_by: Literal["created_at", "title", "size_bytes"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        options: Options | None = None,
    ) -> Listing[t.DataSource | t.SubFolder]:
        """List the files of a folder, by default newest first, or all files and folders below it."""
        return Listing(lambda number: self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources", {"page": number, "page_size": page_size, "recursive": recursive, "search_str": search_str, "filters": filters, "order_by": order_by, "order": order}, None, options), page)

    def delete(
        self,
        knowledge_base_id: str,
        *,
        data_source_id: str | None = None,
        options: Options | None = None,
    ) -> t.DataSourcesDeleteReply:
        """Delete files of a folder; unknown ids are skipped."""
        return self._transport.json("DELETE", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources", {"data_source_id": data_source_id}, None, options)

    def add_document(
        self,
        knowledge_base_id: str,
        body: t.DataSourcesAddDocumentBody,
        *,
        options: Options | None = None,
    ) -> t.AddedDataSource:
        """Add an uploaded file to a folder."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/documents", None, body, options)

    def get(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourceDetail:
        """Get a file of a folder."""
        return self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}", None, None, options)

    def update(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        body: t.DataSourcesUpdateBody,
        *,
        options: Options | None = None,
    ) -> t.DataSourceDetail:
        """Rename a file, move it to another folder or set its metadata."""
        return self._transport.json("PATCH", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}", None, body, options)

    def locate(
        self,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> t.DataSourceDetail:
        """Get a file by its id alone, with the folder that it is in now."""
        return self._transport.json("GET", f"/data-sources/{segment(data_source_id)}", None, None, options)

    def change_metadata(
        self,
        knowledge_base_id: str,
        body: t.ChangeMetadata,
        *,
        options: Options | None = None,
    ) -> t.DataSourcesChangeMetadataReply:
        """Set and remove keys of the metadata of many files; unknown ids are skipped."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/actions/metadata", None, body, options)

    def index(
        self,
        knowledge_base_id: str,
        *,
        data_source_id: str | None = None,
        options: Options | None = None,
    ) -> t.DataSourcesIndexReply:
        """Index files, or index them again; unknown ids are skipped."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/actions/index", {"data_source_id": data_source_id}, None, options)

    def cancel_indexing(
        self,
        knowledge_base_id: str,
        *,
        data_source_id: str | None = None,
        options: Options | None = None,
    ) -> t.DataSourcesCancelIndexingReply:
        """End the indexing of files that wait for it or are being read; other ids are skipped."""
        return self._transport.json("POST", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/actions/cancel-indexing", {"data_source_id": data_source_id}, None, options)

    def download(
        self,
        knowledge_base_id: str,
        *,
        data_source_id: str | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Download files of a folder as a ZIP archive; unknown ids are skipped."""
        return self._transport.open("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/actions/download", {"data_source_id": data_source_id}, None, options)

    def content(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Read the bytes of a file, or a part of them."""
        return self._transport.open("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/content", None, None, options)

    def replace_content(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        body: t.ReplaceContent,
        *,
        options: Options | None = None,
    ) -> t.DataSourceDetail:
        """Give a file other content; it keeps its id, and what it had becomes an earlier version."""
        return self._transport.json("PUT", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/content", None, body, options)

    def read_text(
        self,
        knowledge_base_id: str,
        data_source_id: str,
        *,
        start: int | None = None,
        limit: int | None = None,
        page: int | None = None,
        find: str | None = None,
        before: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Passage]:
        """Read a file as it is searched: its passages in order, with their places."""
        return Listing(lambda number: self._transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources/{segment(data_source_id)}/text", {"start": start, "limit": limit, "page": number, "find": find, "before": before}, None, options), page)


class UploadedFiles:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        content: Content,
        *,
        name: str | None = None,
        virtual_user_email: str | None = None,
        on_progress: Progress | None = None,
        options: Options | None = None,
    ) -> t.ObjectId:
        """Upload a file of any size, read as it is sent; its id can be added to a folder or sent with a query."""
        form = form_of(content, name, virtual_user_email, on_progress)
        return self._transport.json("POST", "/uploaded-files", None, form, options)


class SearchIndex:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.SearchIndex:
        """Get the embedding model behind the search, and the index that is being built for another."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/search-index", None, None, options)

    def choose(
        self,
        workspace_id: str,
        body: t.ChooseSearchIndex,
        *,
        options: Options | None = None,
    ) -> t.SearchIndex:
        """Choose the embedding model of the search; the old index serves until the new one is whole."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/search-index", None, body, options)

    def cancel(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.SearchIndex:
        """Stop building an index: the one that serves stays."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/search-index/build", None, None, options)

    def test(
        self,
        workspace_id: str,
        body: t.TestEmbeddingModel,
        *,
        options: Options | None = None,
    ) -> t.TestedEmbeddingModel:
        """Ask an embedding model for one vector."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/search-index/test", None, body, options)


class Integrations:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: t.IntegrationsCreateBody,
        *,
        options: Options | None = None,
    ) -> t.Integration:
        """Make a folder that is filled from a source and kept in step with it."""
        return self._transport.json("POST", "/integrations", None, body, options)

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Integration]:
        """List the integrations, newest first."""
        return Listing(lambda number: self._transport.json("GET", "/integrations", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        integration_id: str,
        *,
        options: Options | None = None,
    ) -> t.Integration:
        """Get an integration, with its state."""
        return self._transport.json("GET", f"/integrations/{segment(integration_id)}", None, None, options)

    def delete(
        self,
        integration_id: str,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsDeleteReply:
        """End an integration and delete its folder with all that it brought."""
        return self._transport.json("DELETE", f"/integrations/{segment(integration_id)}", None, None, options)

    def update(
        self,
        integration_id: str,
        body: t.IntegrationsUpdateBody,
        *,
        options: Options | None = None,
    ) -> t.Integration:
        """Change the settings of an integration, pause it, or resume it."""
        return self._transport.json("PATCH", f"/integrations/{segment(integration_id)}", None, body, options)

    def sync(
        self,
        integration_id: str,
        *,
        options: Options | None = None,
    ) -> t.Integration:
        """Bring the folder in step with its source now; answers at once."""
        return self._transport.json("POST", f"/integrations/{segment(integration_id)}/sync", None, None, options)

    def cancel(
        self,
        integration_id: str,
        *,
        options: Options | None = None,
    ) -> t.Integration:
        """Stop the sync that runs; what it brought stays, and the next comes after the interval."""
        return self._transport.json("POST", f"/integrations/{segment(integration_id)}/cancel", None, None, options)

    def problems(
        self,
        integration_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.IntegrationsProblemsItem]:
        """List the items that a sync left out, 1,000 at most."""
        return Listing(lambda number: self._transport.json("GET", f"/integrations/{segment(integration_id)}/problems", {"page": number, "page_size": page_size}, None, options), page)

    def test(
        self,
        body: t.IntegrationsTestBody,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsTestReply:
        """Look whether a source can be read with these settings; nothing is stored."""
        return self._transport.json("POST", "/integrations/test", None, body, options)

    def apps(
        self,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsAppsReply:
        """List the providers at which people can log in to link their documents."""
        return self._transport.json("GET", "/integrations/apps", None, None, options)

    def put_app(
        self,
        workspace_id: str,
        provider: str,
        body: t.PutSourceApp,
        *,
        options: Options | None = None,
    ) -> t.SourceApp:
        """Set the app with which people of a workspace log in at a provider of documents."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/source-apps/{segment(provider)}", None, body, options)

    def delete_app(
        self,
        workspace_id: str,
        provider: str,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsDeleteAppReply:
        """Remove the app at a provider; folders that are linked by it keep their files and ask for a new login."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/source-apps/{segment(provider)}", None, None, options)

    def connect(
        self,
        body: t.BeginSourceLogin,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsConnectReply:
        """Begin the login at a provider of documents."""
        return self._transport.json("POST", "/integrations/actions/connect", None, body, options)

    def finish_connect(
        self,
        body: t.FinishSourceLogin,
        *,
        options: Options | None = None,
    ) -> t.IntegrationsFinishConnectReply:
        """Finish the login at a provider of documents, with the session or key that began it."""
        return self._transport.json("POST", "/integrations/actions/finish-connect", None, body, options)


class AgentsMcpServers:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def check(
        self,
        agent_id: str,
        body: t.CheckMcpServer,
        *,
        options: Options | None = None,
    ) -> t.McpCheck:
        """Look whether an MCP server can be reached, and which tools it offers."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/mcp-servers/actions/check", None, body, options)

    def connect(
        self,
        agent_id: str,
        body: t.McpServerUrl,
        *,
        options: Options | None = None,
    ) -> t.AgentsMcpServersConnectReply:
        """Begin the login at an MCP server that asks for one."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/mcp-servers/actions/connect", None, body, options)

    def finish_connect(
        self,
        agent_id: str,
        body: t.FinishMcpLogin,
        *,
        options: Options | None = None,
    ) -> t.AgentsMcpServersFinishConnectReply:
        """Finish the login at an MCP server, with the session or key that began it."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/mcp-servers/actions/finish-connect", None, body, options)

    def disconnect(
        self,
        agent_id: str,
        body: t.McpServerUrl,
        *,
        options: Options | None = None,
    ) -> t.AgentsMcpServersDisconnectReply:
        """Log an agent out at an MCP server, and forget its tokens."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/mcp-servers/actions/disconnect", None, body, options)


class AgentsOpenApiTools:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def check(
        self,
        agent_id: str,
        body: t.AgentsOpenApiToolsCheckBody,
        *,
        options: Options | None = None,
    ) -> t.OpenApiCheck:
        """Look whether an OpenAPI document can be used, and which operations it describes."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/openapi-tools/actions/check", None, body, options)


class AgentsModel:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        agent_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentModel:
        """Get the model that an agent answers with, and what it can do."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/model", None, None, options)


class AgentsJobs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        body: t.CreateJob,
        *,
        options: Options | None = None,
    ) -> t.Job:
        """Give an agent a job."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/jobs", None, body, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Job]:
        """List the jobs of an agent, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/jobs", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        agent_id: str,
        job_id: str,
        *,
        options: Options | None = None,
    ) -> t.Job:
        """Get a job."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/jobs/{segment(job_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        job_id: str,
        body: t.UpdateJob,
        *,
        options: Options | None = None,
    ) -> t.Job:
        """Change a job; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/jobs/{segment(job_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        job_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentsJobsDeleteReply:
        """Delete a job; shortcuts that used it go on without one."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/jobs/{segment(job_id)}", None, None, options)


class AgentsShortcuts:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        body: t.CreateShortcut,
        *,
        options: Options | None = None,
    ) -> t.Shortcut:
        """Give an agent a shortcut."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/shortcuts", None, body, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Shortcut]:
        """List the shortcuts of an agent, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/shortcuts", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        agent_id: str,
        shortcut_id: str,
        *,
        options: Options | None = None,
    ) -> t.Shortcut:
        """Get a shortcut."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/shortcuts/{segment(shortcut_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        shortcut_id: str,
        body: t.UpdateShortcut,
        *,
        options: Options | None = None,
    ) -> t.Shortcut:
        """Change a shortcut; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/shortcuts/{segment(shortcut_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        shortcut_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentsShortcutsDeleteReply:
        """Delete a shortcut."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/shortcuts/{segment(shortcut_id)}", None, None, options)


class AgentsGrants:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        agent_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentGrants:
        """Show who may use and change the agent, and who sees its threads."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/grants", None, None, options)

    def set(
        self,
        agent_id: str,
        body: t.SetAgentGrants,
        *,
        options: Options | None = None,
    ) -> t.AgentGrants:
        """Say who may use and change the agent, and who sees its threads."""
        return self._transport.json("PUT", f"/agents/{segment(agent_id)}/grants", None, body, options)


class AgentsLinks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        body: t.CreateAgentLink,
        *,
        options: Options | None = None,
    ) -> t.AgentLink:
        """Make a link through which people chat with the agent without a key."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/links", None, body, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.AgentLink]:
        """List the links of an agent, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/links", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        agent_id: str,
        link_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentLink:
        """Get a link of an agent."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/links/{segment(link_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        link_id: str,
        body: t.UpdateAgentLink,
        *,
        options: Options | None = None,
    ) -> t.AgentLink:
        """Change a link; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/links/{segment(link_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        link_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentsLinksDeleteReply:
        """Delete a link; its visitors are out within seconds, and their chats stay."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/links/{segment(link_id)}", None, None, options)


class Agents:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.mcp_servers = AgentsMcpServers(transport)
        self.open_api_tools = AgentsOpenApiTools(transport)
        self.model = AgentsModel(transport)
        self.jobs = AgentsJobs(transport)
        self.shortcuts = AgentsShortcuts(transport)
        self.grants = AgentsGrants(transport)
        self.links = AgentsLinks(transport)

    def create(
        self,
        body: t.CreateAgent,
        *,
        options: Options | None = None,
    ) -> t.Agent:
        """Create an agent."""
        return self._transport.json("POST", "/agents", None, body, options)

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        search: str | None = None,
        options: Options | None = None,
    ) -> Listing[t.Agent]:
        """List agents, newest first."""
        return Listing(lambda number: self._transport.json("GET", "/agents", {"page": number, "page_size": page_size, "search": search}, None, options), page)

    def get(
        self,
        agent_id: str,
        *,
        options: Options | None = None,
    ) -> t.Agent:
        """Get an agent."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        body: t.UpdateAgent,
        *,
        options: Options | None = None,
    ) -> t.Agent:
        """Change an agent; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        *,
        options: Options | None = None,
    ) -> t.AgentsDeleteReply:
        """Delete an agent; its chats are out of reach from then on."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}", None, None, options)

    def export(
        self,
        agent_id: str,
        *,
        jobs: Literal["fields", "skills"] | None = None,
        options: Options | None = None,
    ) -> t.AgentsExportReply:
        """Get an agent as a file: with its jobs and shortcuts, folders by path, without ids and secrets."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/export", {"jobs": jobs}, None, options)

    def import_(
        self,
        body: t.ImportAgent,
        *,
        options: Options | None = None,
    ) -> t.ImportedAgent:
        """Make an agent of a file, or make one like a file; what could not be mapped is named."""
        return self._transport.json("POST", "/agents/import", None, body, options)


class WebSearch:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebSearch:
        """Get the provider with which the agents of a workspace search the web."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/web-search", None, None, options)

    def put(
        self,
        workspace_id: str,
        body: t.PutWebSearch,
        *,
        options: Options | None = None,
    ) -> t.WebSearch:
        """Set the provider of web search; agents with the tool web_search use it at once."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/web-search", None, body, options)

    def delete(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebSearchDeleteReply:
        """Remove the provider of web search."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/web-search", None, None, options)

    def test(
        self,
        workspace_id: str,
        body: t.TestWebSearch,
        *,
        options: Options | None = None,
    ) -> t.TestedWebSearch:
        """Search the web with a provider, before or after it was set."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/web-search/test", None, body, options)


class Transcription:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        options: Options | None = None,
    ) -> t.TranscriptionAbility:
        """Get whether the workspace has a transcription model."""
        return self._transport.json("GET", "/transcription", None, None, options)

    def create(
        self,
        body: t.CreateTranscription,
        *,
        options: Options | None = None,
    ) -> t.Transcription:
        """Write down a recording with the model that the workspace chose for speech."""
        return self._transport.json("POST", "/transcription", None, body, options)


class Models:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        options: Options | None = None,
    ) -> t.Models:
        """List the models of this server: its providers, and the model of agents that name none."""
        return self._transport.json("GET", "/models", None, None, options)

    def check(
        self,
        body: t.CheckModel,
        *,
        options: Options | None = None,
    ) -> t.ModelCheck:
        """Ask a model for one word, to see whether it answers."""
        return self._transport.json("POST", "/models/actions/check", None, body, options)


class ModelProviders:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.ModelProvidersListReply:
        """List the model providers of a workspace, and those that an operator set."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/model-providers", None, None, options)

    def put(
        self,
        workspace_id: str,
        name: str,
        body: t.PutModelProvider,
        *,
        options: Options | None = None,
    ) -> t.ModelProviderSettings:
        """Add or change a model provider; agents can use its models at once, as NAME/MODEL."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/model-providers/{segment(name)}", None, body, options)

    def delete(
        self,
        workspace_id: str,
        name: str,
        *,
        options: Options | None = None,
    ) -> t.ModelProvidersDeleteReply:
        """Remove a model provider that no agent uses."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/model-providers/{segment(name)}", None, None, options)

    def test(
        self,
        workspace_id: str,
        name: str,
        body: t.TestModelProvider,
        *,
        options: Options | None = None,
    ) -> t.TestedModelProvider:
        """Ask a model provider for its models, before or after it was added."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/model-providers/{segment(name)}/test", None, body, options)


class ModelDefaults:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.ModelDefaults:
        """Get the models that a workspace chose for answers, summaries, titles, speech and reranking."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/model-defaults", None, None, options)

    def put(
        self,
        workspace_id: str,
        body: t.PutModelDefaults,
        *,
        options: Options | None = None,
    ) -> t.ModelDefaults:
        """Choose the models for answers, summaries, titles, speech and reranking; what is left out is as the server has it."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/model-defaults", None, body, options)

    def test_reranking(
        self,
        workspace_id: str,
        body: t.TestReranker,
        *,
        options: Options | None = None,
    ) -> t.TestedReranker:
        """Ask a reranker for the scores of two short texts."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/model-defaults/reranking/test", None, body, options)


class ProjectsChats:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        project_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        archived: bool | None = None,
        pinned: bool | None = None,
        search: str | None = None,
        options: Options | None = None,
    ) -> Listing[t.UsedChat]:
        """List own chats of a project, with any agent, the last used first."""
        return Listing(lambda number: self._transport.json("GET", f"/projects/{segment(project_id)}/chats", {"page": number, "page_size": page_size, "archived": archived, "pinned": pinned, "search": search}, None, options), page)


class Projects:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.chats = ProjectsChats(transport)

    def create(
        self,
        body: t.CreateProject,
        *,
        options: Options | None = None,
    ) -> t.Project:
        """Make a project, with a folder of its own."""
        return self._transport.json("POST", "/projects", None, body, options)

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        search: str | None = None,
        options: Options | None = None,
    ) -> Listing[t.Project]:
        """List the projects whose folder the caller may read, by name."""
        return Listing(lambda number: self._transport.json("GET", "/projects", {"page": number, "page_size": page_size, "search": search}, None, options), page)

    def get(
        self,
        project_id: str,
        *,
        options: Options | None = None,
    ) -> t.Project:
        """Get a project."""
        return self._transport.json("GET", f"/projects/{segment(project_id)}", None, None, options)

    def update(
        self,
        project_id: str,
        body: t.UpdateProject,
        *,
        options: Options | None = None,
    ) -> t.Project:
        """Change a project; what is left out stays."""
        return self._transport.json("PATCH", f"/projects/{segment(project_id)}", None, body, options)

    def delete(
        self,
        project_id: str,
        *,
        delete_chats: bool | None = None,
        delete_folder: bool | None = None,
        options: Options | None = None,
    ) -> t.ProjectsDeleteReply:
        """Delete a project; by default its chats leave it and its folder stays."""
        return self._transport.json("DELETE", f"/projects/{segment(project_id)}", {"delete_chats": delete_chats, "delete_folder": delete_folder}, None, options)


class ChatsQueries:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        chat_id: str,
        body: t.SendQuery,
        *,
        options: Options | None = None,
    ) -> t.ChatsQueriesCreateReply:
        """Ask the agent; the answer comes whole, or as Server-Sent Events with is_stream."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/query", None, {"message_id": new_object_id(), **body}, options)

    def stream(
        self,
        agent_id: str,
        chat_id: str,
        body: t.SendQuery,
        *,
        options: Options | None = None,
    ) -> AnswerStream:
        """Ask, and read the answer as it comes. A broken connection is resumed where it was."""
        message_id = body.get("message_id") or new_object_id()
        path = f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}"
        asked = {**body, "message_id": message_id, "is_stream": True}
        return AnswerStream(
            message_id,
            lambda: self._transport.open("POST", f"{path}/query", None, asked, options),
            lambda last: self._transport.open(
                "GET", f"{path}/message/{message_id}/events", {"starting_after": last if last >= 0 else None}, None, options
            ),
        )

    def create_async(
        self,
        agent_id: str,
        chat_id: str,
        body: t.SendAsyncQuery,
        *,
        options: Options | None = None,
    ) -> t.ChatsQueriesCreateAsyncReply:
        """Ask the agent; the answer is sent to a webhook."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/async_query", None, {"message_id": new_object_id(), **body}, options)


class Chats:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.queries = ChatsQueries(transport)

    def create(
        self,
        agent_id: str,
        body: t.CreateChat,
        *,
        options: Options | None = None,
    ) -> t.ChatsCreateReply:
        """Create a chat with an agent."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats", None, body, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        chat_type: t.ChatType | None = None,
        virtual_user_email: str | None = None,
        search: str | None = None,
        project_id: t.ObjectId | None = None,
        archived: bool | None = None,
        pinned: bool | None = None,
        scope: Literal["own", "all"] | None = None,
        status: Literal["in_progress", "waiting", "failed"] | None = None,
        feedback: Literal["up", "down"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        sort: Literal["created_at", "last_message_at", "total_tokens", "title", "is_pinned"] | None = None,
        order: Literal["asc", "desc"] | None = None,
        options: Options | None = None,
    ) -> Listing[t.Thread]:
        """List the chats of an agent, by default newest first, with what became of them."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/chats", {"page": number, "page_size": page_size, "chat_type": chat_type, "virtual_user_email": virtual_user_email, "search": search, "project_id": project_id, "archived": archived, "pinned": pinned, "scope": scope, "status": status, "feedback": feedback, "from": from_, "to": to, "sort": sort, "order": order}, None, options), page)

    def get(
        self,
        agent_id: str,
        chat_id: str,
        *,
        options: Options | None = None,
    ) -> t.Chat:
        """Get a chat."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        chat_id: str,
        body: t.UpdateChat,
        *,
        options: Options | None = None,
    ) -> t.Chat:
        """Rename, archive or pin a chat, replace its metadata, move it to a project, or show another branch."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        chat_id: str,
        *,
        options: Options | None = None,
    ) -> t.ChatsDeleteReply:
        """Delete a chat with its messages; what runs in it is cancelled."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}", None, None, options)

    def search(
        self,
        *,
        query: str | None = None,
        limit: int | None = None,
        options: Options | None = None,
    ) -> t.ChatsSearchReply:
        """Find messages in the caller's own chats, newest chats first."""
        return self._transport.json("GET", "/chats/search", {"query": query, "limit": limit}, None, options)

    def list_own(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        archived: bool | None = None,
        pinned: bool | None = None,
        chat_type: t.ChatType | None = None,
        search: str | None = None,
        options: Options | None = None,
    ) -> Listing[t.UsedChat]:
        """List own chats with all agents, the last used first."""
        return Listing(lambda number: self._transport.json("GET", "/chats", {"page": number, "page_size": page_size, "archived": archived, "pinned": pinned, "chat_type": chat_type, "search": search}, None, options), page)

    def change_many(
        self,
        body: t.ChangeChats,
        *,
        options: Options | None = None,
    ) -> t.ChatsChangeManyReply:
        """Archive, pin or delete up to 100 chats at once."""
        return self._transport.json("POST", "/chats/batch", None, body, options)

    def share(
        self,
        agent_id: str,
        chat_id: str,
        body: t.ShareChat,
        *,
        options: Options | None = None,
    ) -> t.ChatShare:
        """Share an own chat with the workspace by a link, or change what is shown of it."""
        return self._transport.json("PUT", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/share", None, body, options)

    def list_shared(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        chat_id: t.ObjectId | None = None,
        options: Options | None = None,
    ) -> Listing[t.ChatShare]:
        """List chats that the caller shared, the newest share first."""
        return Listing(lambda number: self._transport.json("GET", "/chats/shared", {"page": number, "page_size": page_size, "chat_id": chat_id}, None, options), page)

    def read_shared(
        self,
        shared_chat_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.SharedMessage]:
        """Read a chat that a member of the workspace shared, oldest message first."""
        return Listing(lambda number: self._transport.json("GET", f"/shared-chats/{segment(shared_chat_id)}", {"page": number, "page_size": page_size}, None, options), page)

    def unshare(
        self,
        shared_chat_id: str,
        *,
        options: Options | None = None,
    ) -> t.ChatsUnshareReply:
        """Stop sharing a chat: its link leads nowhere from then on."""
        return self._transport.json("DELETE", f"/shared-chats/{segment(shared_chat_id)}", None, None, options)

    def export(
        self,
        agent_id: str,
        chat_id: str,
        *,
        format: Literal["md", "pdf", "json"] | None = None,
        options: Options | None = None,
    ) -> str:
        """Download a chat as Markdown, PDF or JSON."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/export", {"format": format}, None, options)


class Messages:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        downloadable_output: bool | None = None,
        usage: bool | None = None,
        options: Options | None = None,
    ) -> t.Message:
        """Get a message."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}", {"downloadable_output": downloadable_output, "usage": usage}, None, options)

    def update(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        body: t.UpdateMessage,
        *,
        options: Options | None = None,
    ) -> t.Message:
        """Pin or unpin a message."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        options: Options | None = None,
    ) -> t.MessagesDeleteReply:
        """Delete a message; one that runs is cancelled first."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}", None, None, options)

    def list(
        self,
        agent_id: str,
        chat_id: str,
        *,
        from_message: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        usage: bool | None = None,
        options: Options | None = None,
    ) -> Listing[t.Message]:
        """Get the message history: parameters in the JSON body, or in the query string."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/messages", {"from_message": from_message, "page": number, "page_size": page_size, "order": order, "usage": usage}, None, options), page)

    def rights(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        options: Options | None = None,
    ) -> t.MessageRights:
        """Show as which rights a message was answered, to admins who may read the chat."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}/rights", None, None, options)

    def retrieval(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        options: Options | None = None,
    ) -> t.MessageRetrieval:
        """Show what the searches of an answer found, as its model was given it, and what it cites."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}/retrieval", None, None, options)

    def give_feedback(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        body: t.Feedback,
        *,
        options: Options | None = None,
    ) -> t.Message:
        """Say whether the answer was good."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}/feedback", None, body, options)

    def review(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        body: t.ReviewDecision,
        *,
        options: Options | None = None,
    ) -> t.Message:
        """Decide what a message waits for: approve or reject a tool call, or answer a question."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}/review", None, body, options)

    def cancel(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        options: Options | None = None,
    ) -> t.Message:
        """End a run early; what it said so far stays."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}/cancel", None, None, options)

    def events(
        self,
        agent_id: str,
        chat_id: str,
        message_id: str,
        *,
        starting_after: int = -1,
        options: Options | None = None,
    ) -> AnswerStream:
        """Read the events of a run, from any of them on, while it runs and after."""
        path = f"/agents/{segment(agent_id)}/chats/{segment(chat_id)}/message/{segment(message_id)}"

        def resume(last: int) -> HTTPResponse:
            after = max(last, starting_after)
            query = {"starting_after": after if after >= 0 else None}
            return self._transport.open("GET", f"{path}/events", query, None, options)

        return AnswerStream(message_id, lambda: resume(-1), resume)

    def list_pinned(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.PinnedMessage]:
        """List pinned answers of own chats with all agents, newest first."""
        return Listing(lambda number: self._transport.json("GET", "/chats/pinned-messages", {"page": number, "page_size": page_size}, None, options), page)


class Reviews:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        status: Literal["pending", "approved", "rejected", "answered", "expired", "cancelled"] | None = None,
        options: Options | None = None,
    ) -> Listing[t.Review]:
        """The inbox: what the messages of a workspace wait for, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/reviews", {"page": number, "page_size": page_size, "status": status}, None, options), page)


class EvaluationSets:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        body: t.CreateEvaluationSet,
        *,
        options: Options | None = None,
    ) -> t.EvaluationSet:
        """Make a question set for an agent."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/evaluation-sets", None, body, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.EvaluationSet]:
        """List the question sets of an agent, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-sets", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        agent_id: str,
        evaluation_set_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationSet:
        """Get a question set."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}", None, None, options)

    def update(
        self,
        agent_id: str,
        evaluation_set_id: str,
        body: t.UpdateEvaluationSet,
        *,
        options: Options | None = None,
    ) -> t.EvaluationSet:
        """Change a question set; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        evaluation_set_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationSetsDeleteReply:
        """Delete a question set with its cases and runs."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}", None, None, options)


class EvaluationCases:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        agent_id: str,
        evaluation_set_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.EvaluationCase]:
        """List the cases of a question set, oldest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}/cases", {"page": number, "page_size": page_size}, None, options), page)

    def add(
        self,
        agent_id: str,
        evaluation_set_id: str,
        body: t.AddEvaluationCases,
        *,
        options: Options | None = None,
    ) -> t.EvaluationCasesAddReply:
        """Add cases to a question set: given, of a table, of rated answers, or made from documents."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}/cases", None, body, options)

    def update(
        self,
        agent_id: str,
        evaluation_set_id: str,
        evaluation_case_id: str,
        body: t.UpdateEvaluationCase,
        *,
        options: Options | None = None,
    ) -> t.EvaluationCase:
        """Change a case; what is left out stays."""
        return self._transport.json("PATCH", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}/cases/{segment(evaluation_case_id)}", None, body, options)

    def delete(
        self,
        agent_id: str,
        evaluation_set_id: str,
        evaluation_case_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationCasesDeleteReply:
        """Delete a case; runs that asked it keep their results."""
        return self._transport.json("DELETE", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}/cases/{segment(evaluation_case_id)}", None, None, options)


class EvaluationRuns:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(
        self,
        agent_id: str,
        evaluation_set_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationRun:
        """Ask an agent the questions of a set, in the background, and measure the answers."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/evaluation-sets/{segment(evaluation_set_id)}/runs", None, None, options)

    def list(
        self,
        agent_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        evaluation_set_id: t.ObjectId | None = None,
        options: Options | None = None,
    ) -> Listing[t.EvaluationRun]:
        """List the runs of an agent, or of one of its sets, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-runs", {"page": number, "page_size": page_size, "evaluation_set_id": evaluation_set_id}, None, options), page)

    def get(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationRun:
        """Get a run with its progress and, once it has ended, its measures in sum."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-runs/{segment(evaluation_run_id)}", None, None, options)

    def cancel(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        options: Options | None = None,
    ) -> t.EvaluationRun:
        """End a run; the results that it has stay."""
        return self._transport.json("POST", f"/agents/{segment(agent_id)}/evaluation-runs/{segment(evaluation_run_id)}/cancel", None, None, options)

    def results(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.EvaluationResult]:
        """List the results of a run, case by case."""
        return Listing(lambda number: self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-runs/{segment(evaluation_run_id)}/results", {"page": number, "page_size": page_size}, None, options), page)

    def export(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        options: Options | None = None,
    ) -> HTTPResponse:
        """Get the results of a run as a table, comma-separated."""
        return self._transport.open("GET", f"/agents/{segment(agent_id)}/evaluation-runs/{segment(evaluation_run_id)}/results.csv", None, None, options)

    def compare(
        self,
        agent_id: str,
        evaluation_run_id: str,
        *,
        before_id: t.ObjectId | None = None,
        options: Options | None = None,
    ) -> t.EvaluationComparison:
        """Compare a run with an earlier one of the same set, case by case."""
        return self._transport.json("GET", f"/agents/{segment(agent_id)}/evaluation-runs/{segment(evaluation_run_id)}/compare", {"before_id": before_id}, None, options)


class Evaluation:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.sets = EvaluationSets(transport)
        self.cases = EvaluationCases(transport)
        self.runs = EvaluationRuns(transport)


class WebhooksSecret:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookSecret:
        """Get the secret that signs the webhooks of this workspace."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-secret", None, None, options)

    def rotate(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookSecret:
        """Make a new secret; the old one signs along for 24 hours."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-secret/rotate", None, None, options)


class WebhooksDeliveries:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        status: t.WebhookDeliveryStatus | None = None,
        message_id: str | None = None,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.WebhookDelivery]:
        """List the deliveries, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-deliveries", {"status": status, "message_id": message_id, "page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        workspace_id: str,
        delivery_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhooksDeliveriesGetReply:
        """Get a delivery with its attempts."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-deliveries/{segment(delivery_id)}", None, None, options)

    def redeliver(
        self,
        workspace_id: str,
        delivery_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookDelivery:
        """Deliver again, now."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-deliveries/{segment(delivery_id)}/redeliver", None, None, options)


class WebhooksEndpointsDeliveries:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        *,
        status: t.WebhookDeliveryStatus | None = None,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.WebhookEventDelivery]:
        """List the events that were sent there, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}/deliveries", {"status": status, "page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        delivery_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhooksEndpointsDeliveriesGetReply:
        """Get an event that was sent there, with its attempts."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}/deliveries/{segment(delivery_id)}", None, None, options)

    def redeliver(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        delivery_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookEventDelivery:
        """Send the event again, now."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}/deliveries/{segment(delivery_id)}/redeliver", None, None, options)


class WebhooksEndpoints:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.deliveries = WebhooksEndpointsDeliveries(transport)

    def create(
        self,
        workspace_id: str,
        body: t.CreateWebhookEndpoint,
        *,
        options: Options | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Add a URL to which events of this workspace are sent; its secret is shown this once."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-endpoints", None, body, options)

    def list(
        self,
        workspace_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.WebhookEndpoint]:
        """List the URLs to which events are sent, oldest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-endpoints", {"page": number, "page_size": page_size}, None, options), page)

    def get(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookEndpoint:
        """Get a URL to which events are sent."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}", None, None, options)

    def update(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        body: t.UpdateWebhookEndpoint,
        *,
        options: Options | None = None,
    ) -> t.WebhookEndpoint:
        """Change where events are sent and which, or switch that off and on."""
        return self._transport.json("PATCH", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}", None, body, options)

    def delete(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhooksEndpointsDeleteReply:
        """Send no more events there; what is on its way is given up."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}", None, None, options)

    def rotate(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookEndpointWithSecret:
        """Make a new secret, shown this once; the old one signs along for 24 hours."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}/secret/rotate", None, None, options)

    def test(
        self,
        workspace_id: str,
        webhook_endpoint_id: str,
        *,
        options: Options | None = None,
    ) -> t.WebhookEventDelivery:
        """Send a test event, also to a URL that is switched off."""
        return self._transport.json("POST", f"/workspaces/{segment(workspace_id)}/webhook-endpoints/{segment(webhook_endpoint_id)}/test", None, None, options)


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.secret = WebhooksSecret(transport)
        self.deliveries = WebhooksDeliveries(transport)
        self.endpoints = WebhooksEndpoints(transport)

    def listen(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> HTTPResponse:
        """A stream of the events and results of this workspace from now on, signed with its secret; for development."""
        return self._transport.open("GET", f"/workspaces/{segment(workspace_id)}/webhook-events", None, None, options)


class Usage:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        workspace_id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal["day", "agent", "virtual_user", "api_key", "model"] | None = None,
        agent_id: str | None = None,
        virtual_user_email: str | None = None,
        api_key_id: str | None = None,
        model: str | None = None,
        format: Literal["json", "csv"] | None = None,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.UsageGroup]:
        """Report the usage and cost of a workspace, by day, agent, virtual user, API key or model."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/usage", {"from": from_, "to": to, "group_by": group_by, "agent_id": agent_id, "virtual_user_email": virtual_user_email, "api_key_id": api_key_id, "model": model, "format": format, "page": number, "page_size": page_size}, None, options), page)

    def prices(
        self,
        workspace_id: str,
        *,
        options: Options | None = None,
    ) -> t.UsagePricesReply:
        """The prices that the operator set for models; the first that fits a model holds, else the one that its provider lists."""
        return self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/usage/prices", None, None, options)


class Quotas:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def set(
        self,
        workspace_id: str,
        body: t.SetQuota,
        *,
        options: Options | None = None,
    ) -> t.Quota:
        """Set how much the workspace, a key, a virtual user or each of them may use in a day or a month."""
        return self._transport.json("PUT", f"/workspaces/{segment(workspace_id)}/quotas", None, body, options)

    def list(
        self,
        workspace_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        options: Options | None = None,
    ) -> Listing[t.Quota]:
        """List the quotas of a workspace and what was used of them, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/quotas", {"page": number, "page_size": page_size}, None, options), page)

    def delete(
        self,
        workspace_id: str,
        quota_id: str,
        *,
        options: Options | None = None,
    ) -> t.QuotasDeleteReply:
        """Delete a quota: nothing limits its subject in that period any more."""
        return self._transport.json("DELETE", f"/workspaces/{segment(workspace_id)}/quotas/{segment(quota_id)}", None, None, options)


class AuditLog:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        action: Literal["organization.created", "workspace.created", "workspace.origins_changed", "workspace.second_factor_changed", "api_key.created", "api_key.revoked", "api_key.rotated", "api_key.updated", "app.connected", "app.disconnected", "scim_token.created", "scim_token.revoked", "sign_in_provider.created", "sign_in_provider.updated", "sign_in_provider.deleted", "model_provider.created", "model_provider.updated", "model_provider.deleted", "workspace.models_changed", "workspace.web_search_changed", "workspace.source_app_changed", "workspace.search_index_changed", "workspace.search_index_cancelled", "member.joined", "member.updated", "member.removed", "member.password_changed", "member.provider_linked", "member.provider_unlinked", "member.two_factor_on", "member.two_factor_off", "member.recovery_code_used", "member.recovery_codes_made", "member.passkey_added", "member.passkey_removed", "password_link.created", "invitation.created", "invitation.revoked", "group.created", "group.updated", "group.deleted", "webhook_secret.rotated", "webhook_endpoint.created", "webhook_endpoint.updated", "webhook_endpoint.rotated", "webhook_endpoint.disabled", "webhook_endpoint.deleted", "agent.created", "agent.updated", "agent.visibility_changed", "agent.deleted", "agent.access_changed", "agent.mcp_connected", "agent.mcp_disconnected", "job.created", "job.updated", "job.deleted", "shortcut.created", "shortcut.updated", "shortcut.deleted", "evaluation_set.created", "evaluation_set.updated", "evaluation_set.deleted", "evaluation_run.started", "evaluation_run.cancelled", "agent_link.created", "agent_link.updated", "agent_link.deleted", "knowledge_base.created", "knowledge_base.updated", "knowledge_base.deleted", "knowledge_base.access_changed", "knowledge_base.shared", "knowledge_base.unshared", "data_source.replaced", "data_source.restored", "data_source.passages_changed", "data_source.readers_changed", "project.created", "project.updated", "project.deleted", "chat.shared", "chat.unshared", "integration.created", "integration.updated", "integration.deleted", "virtual_user.deleted", "virtual_user.erased", "virtual_user.merged", "virtual_user.exported", "virtual_user.grants_changed", "quota.updated", "review.decided", "tasks.retried", "data.backed_up", "data.mended", "data.moved", "data.restored"] | None = None,
        actor: Literal["operator"] | str | None = None,
        member_id: str | None = None,
        target_type: Literal["organization", "workspace", "api_key", "app", "scim_token", "sign_in_provider", "model_provider", "member", "invitation", "group", "webhook_secret", "webhook_endpoint", "agent", "job", "shortcut", "evaluation_set", "evaluation_run", "agent_link", "knowledge_base", "data_source", "project", "chat", "integration", "virtual_user", "message"] | None = None,
        target_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        options: Options | None = None,
    ) -> Listing[t.AuditEntry]:
        """List what was done in the workspace, and in what its organization shares, newest first."""
        return Listing(lambda number: self._transport.json("GET", f"/workspaces/{segment(workspace_id)}/audit-log", {"page": number, "page_size": page_size, "action": action, "actor": actor, "member_id": member_id, "target_type": target_type, "target_id": target_id, "from": from_, "to": to}, None, options), page)


class Docent:
    """
    A client of the service. Every call raises DocentError when it fails, and is repeated when the server is busy or away
    for a moment. `timeout` is in seconds without a byte of the answer.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = 900.0,
        max_retries: int = 3,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        transport = self._transport = Transport(base_url, api_key, timeout, max_retries, headers or {})
        self.outputs = Outputs(transport)
        self.session = Session(transport)
        self.password_links = PasswordLinks(transport)
        self.invitations = Invitations(transport)
        self.shared = Shared(transport)
        self.api_keys = ApiKeys(transport)
        self.browser_origins = BrowserOrigins(transport)
        self.members = Members(transport)
        self.scim_tokens = ScimTokens(transport)
        self.account = Account(transport)
        self.groups = Groups(transport)
        self.sign_in_providers = SignInProviders(transport)
        self.virtual_users = VirtualUsers(transport)
        self.user_tokens = UserTokens(transport)
        self.knowledge_bases = KnowledgeBases(transport)
        self.shares = Shares(transport)
        self.data_sources = DataSources(transport)
        self.uploaded_files = UploadedFiles(transport)
        self.search_index = SearchIndex(transport)
        self.integrations = Integrations(transport)
        self.agents = Agents(transport)
        self.web_search = WebSearch(transport)
        self.transcription = Transcription(transport)
        self.models = Models(transport)
        self.model_providers = ModelProviders(transport)
        self.model_defaults = ModelDefaults(transport)
        self.projects = Projects(transport)
        self.chats = Chats(transport)
        self.messages = Messages(transport)
        self.reviews = Reviews(transport)
        self.evaluation = Evaluation(transport)
        self.webhooks = Webhooks(transport)
        self.usage = Usage(transport)
        self.quotas = Quotas(transport)
        self.audit_log = AuditLog(transport)

    def me(
        self,
        *,
        options: Options | None = None,
    ) -> t.Identity:
        """Show the key's organization, workspace and permissions."""
        return self._transport.json("GET", "/me", None, None, options)

    def stream_check(
        self,
        *,
        pause_seconds: int | None = None,
        options: Options | None = None,
    ) -> HTTPResponse:
        """A stream to test the way to the server with: ten events 200 ms apart, a pause with pings, the end."""
        return self._transport.open("GET", "/stream-check", {"pause_seconds": pause_seconds}, None, options)

    def doctor(
        self,
        *,
        options: Options | None = None,
    ) -> t.Diagnosis:
        """Look for damage in the database, the stored files and the search index."""
        return self._transport.json("GET", "/doctor", None, None, options)
