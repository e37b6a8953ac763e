"""Brings our commands to arvel's command line."""

from typing import override

from arvel.kernel import ServiceProvider

from app.commands.dispatch_cancel import DispatchCancel
from app.commands.dispatch_configuration import DispatchConfiguration
from app.commands.dispatch_doctor import DispatchDoctor
from app.commands.dispatch_email import DispatchEmail
from app.commands.dispatch_list import DispatchList
from app.commands.dispatch_pause import DispatchPause
from app.commands.dispatch_resend import DispatchResend
from app.commands.dispatch_resume import DispatchResume
from app.commands.dispatch_retry import DispatchRetry
from app.commands.dispatch_show import DispatchShow
from app.commands.dispatch_sms import DispatchSms
from app.commands.dispatch_sweep import DispatchSweep
from app.commands.dispatch_token import DispatchToken
from app.commands.dispatch_user import DispatchUser
from app.commands.dispatch_work import DispatchWork
from app.commands.dispatch_workflow import DispatchWorkflow


class CommandProvider(ServiceProvider):
    @override
    def register(self) -> None:
        self.commands(DispatchEmail, DispatchSms, DispatchList, DispatchShow)
        self.commands(DispatchRetry, DispatchCancel, DispatchResend, DispatchSweep)
        self.commands(DispatchPause, DispatchResume)
        self.commands(DispatchWork)
        self.commands(DispatchUser, DispatchToken)
        self.commands(DispatchDoctor, DispatchConfiguration, DispatchWorkflow)
