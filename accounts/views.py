from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.forms import ProfileForm
from accounts.models import User


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)  # the decorator sends everybody else to log in
    posted = request.POST if request.method == "POST" else None
    form = ProfileForm(posted, initial={"display_name": request.user.display_name})
    if form.is_valid():
        user = services.rename_user(user=request.user, display_name=form.cleaned_data["display_name"])
        messages.success(request, f"From now on you appear as {user.display_name}.")
        return redirect("account_profile")
    return render(request, "accounts/profile.html", {"form": form})
