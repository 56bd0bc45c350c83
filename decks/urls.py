from django.urls import path

from decks import views

app_name = "decks"
urlpatterns = [
    path("check/", views.check, name="check"),
    path("decks/", views.deck_list, name="list"),
    path("decks/new", views.deck_new, name="new"),
    path("decks/<int:deck_id>/", views.deck_edit, name="edit"),
    path("decks/<int:deck_id>/delete", views.deck_delete, name="delete"),
]
