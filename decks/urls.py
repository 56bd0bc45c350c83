from django.urls import path

from decks.views import checker, comparing, editor, history, sharing

app_name = "decks"
urlpatterns = [
    path("check/", checker.check, name="check"),
    path("decks/", editor.deck_list, name="list"),
    path("decks/new", editor.deck_new, name="new"),
    path("decks/compare", comparing.compare, name="compare"),
    path("decks/shared/<str:token>/", sharing.shared, name="shared"),
    path("decks/shared/<str:token>/export/<slug:kind>", sharing.export, name="shared_export"),
    path("decks/<int:deck_id>/", editor.deck_edit, name="edit"),
    path("decks/<int:deck_id>/delete", editor.deck_delete, name="delete"),
    path("decks/<int:deck_id>/share", editor.share, name="share"),
    path("decks/<int:deck_id>/unshare", editor.unshare, name="unshare"),
    path("decks/<int:deck_id>/export/<slug:kind>", editor.export, name="export"),
    path("decks/<int:deck_id>/history", history.history, name="history"),
    path("decks/<int:deck_id>/history/<int:number>", history.version, name="version"),
    path("decks/<int:deck_id>/history/<int:number>/restore", history.restore, name="restore"),
]
